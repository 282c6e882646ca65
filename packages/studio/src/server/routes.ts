import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { createBoundedBytes } from '@joust/io'
import type { ReadTraceOptions } from '@joust/results'
import { readTrace } from '@joust/results/files'
import { err, isRecord, ok, ownText, type Result, type ValueRecord, writeJson } from '@joust/source'
import type {
  AimDocuments,
  AimDocumentsRequest,
  AimedFiles,
  AimInput,
  AimRequest,
  JudgeTrace,
  ProjectInfo,
  ProofText,
  RunPlace,
  RunRequest,
  SetUp,
  ToolMap,
} from '../model/api.ts'
import { limits } from '../model/limits.ts'
import type { CampaignWork } from './campaigns.ts'
import type { FolderFault, StudioFolder } from './folder.ts'
import type { StoredRuns } from './results.ts'
import type { RunSuite, Suites } from './suites.ts'

/** Operations that the command provides. */
export interface StudioWork {
  readonly project: () => Promise<ProjectInfo>
  readonly run: RunSuite
  readonly judge: JudgeTrace
  /** Runs a document in the folder against simulated agents. */
  readonly prove: (path: string, signal: AbortSignal) => Promise<ProofText>
  readonly aim: {
    /** Lists inputs from the project and from the given files. Does not start any of them. */
    readonly inputs: (files: readonly string[]) => Promise<readonly AimInput[]>
    readonly map: (request: AimRequest, signal: AbortSignal) => Promise<Result<ToolMap, string>>
    /** Generates and proves documents for an input whose tools were listed. */
    readonly documents: (request: AimDocumentsRequest, signal: AbortSignal) => Promise<Result<AimDocuments, string>>
  }
  /** Creates a project file and a first attack, unless these files exist. */
  readonly init: () => Promise<SetUp>
  /** Campaign operations. Absent if there is no campaign database. */
  readonly campaigns?: CampaignWork
}

export interface RouteContext {
  readonly folder: StudioFolder
  readonly stored: StoredRuns
  readonly suites: Suites
  readonly work: StudioWork
}

interface ApiRequest {
  readonly query: URLSearchParams
  /** The parsed request body. Empty for GET requests. */
  readonly body: ValueRecord
  readonly response: ServerResponse
}

type Answer = { readonly status: number } & ({ readonly value: unknown } | { readonly json: string })

/** Handles a request. Returns undefined if the route writes the response itself. */
type Route = (context: RouteContext, request: ApiRequest) => Promise<Answer> | Answer | undefined

const routes: Readonly<Record<string, Route>> = {
  'GET /api/state': ({ suites, folder }, { query }) => {
    const version = suites.version()
    const suite = query.get('known') === version ? undefined : suites.last()
    return success({ folder: basename(folder.root), version, suite })
  },
  'GET /api/events': ({ suites }, { response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 500\n\n')
    const notify = () => response.writableNeedDrain || response.write(`data: ${suites.version()}\n\n`)
    response.on('drain', notify).on('close', suites.onChange(notify))
    return undefined
  },
  'GET /api/project': async ({ work }) => success(await work.project()),
  'GET /api/files': ({ folder }) => success(folder.list()),
  'GET /api/file': ({ folder }, { query }) => fileAnswer(folder.read(query.get('path') ?? '')),
  'GET /api/results': async ({ stored }, { query }) => {
    const name = query.get('name')
    if (name === null) return success(await stored.list())
    const read = await stored.overview(name)
    return read.ok ? { status: 200, json: read.value } : refused(404, read.error)
  },
  'GET /api/attack': async ({ stored }, { query }) => {
    const [name = '', target = '', file = ''] = ['name', 'target', 'file'].map((key) => query.get(key) ?? '')
    return orRefused(await stored.attack(name, target, file), 404)
  },
  'GET /api/trace': async ({ stored }, { query }) =>
    orRefused(await stored.trace(query.get('name') ?? '', query.get('trace') ?? ''), 404),
  'GET /api/campaigns': async ({ work }) => success((await work.campaigns?.list()) ?? []),
  'GET /api/campaign': async ({ work }, { query }) =>
    success((await work.campaigns?.runs(query.get('name') ?? '')) ?? []),
  'GET /api/watch': async ({ suites, work }, { query }) => {
    const position = { attempt: query.get('attempt') ?? '', part: Number(query.get('part')) || 0 }
    const [suite, place] = [query.get('suite'), placeIn(query)]
    const run =
      suite === null
        ? await work.campaigns?.watch(query.get('name') ?? '', place, position)
        : suites.watch(Number(suite), place, position)
    return run === undefined ? refused(404, 'unknown run') : success(run)
  },
  'POST /api/save': ({ folder }, { body }) => {
    const [path, text] = [ownText(body, 'path'), ownText(body, 'text')]
    if (path === undefined || text === undefined) return refused(400, 'missing path or text')
    return fileAnswer(folder.save(path, text, ownText(body, 'version')))
  },
  'POST /api/undo': ({ folder }, { body }) => fileAnswer(folder.undo(ownText(body, 'path') ?? '')),
  'POST /api/run': ({ suites }, { body }) => {
    const request = requestIn(body)
    if (request === undefined) return refused(400, INVALID_REQUEST)
    const id = suites.start(request)
    return id.ok ? success({ suite: id.value }, 201) : refused(409, id.error)
  },
  'POST /api/stop': ({ suites }, { body }) =>
    suites.stop(Number(body.suite)) ? success({}, 202) : refused(404, 'the suite is not running'),
  'POST /api/submit': async ({ work }, { body }) => {
    const request = requestIn(body)
    if (request === undefined) return refused(400, INVALID_REQUEST)
    const submitted = await work.campaigns?.submit(request)
    if (submitted === undefined) return refused(404, 'missing campaign database: start joust studio with --queue')
    return submitted.ok ? success({ campaign: submitted.value }, 201) : refused(422, submitted.error)
  },
  'POST /api/cancel': async ({ work }, { body }) => {
    const cancelled = await work.campaigns?.cancel(ownText(body, 'name') ?? '')
    return cancelled === true ? success({}, 202) : refused(404, 'the campaign is not open')
  },
  'POST /api/prove': async ({ folder, work }, { body, response }) => {
    const read = folder.read(ownText(body, 'path') ?? '')
    if (!read.ok) return fileAnswer(read)
    return success(await work.prove(read.value.path, whileOpen(response)))
  },
  'GET /api/aim': async ({ folder, work }) => success(await work.aim.inputs(folder.list())),
  'POST /api/aim/map': async ({ folder, work }, { body, response }) => {
    const [input, labels] = [inputIn(body), labelsIn(body)]
    if (input === undefined || labels === undefined) return refused(400, 'invalid input or labels')
    const inputs = await work.aim.inputs(folder.list())
    if (!inputs.some(({ kind, name }) => kind === input.kind && name === input.name))
      return refused(404, `unknown input ${JSON.stringify(input.name)}`)
    const request = { input, ...(body.labels !== undefined && { labels }) }
    return orRefused(await work.aim.map(request, whileOpen(response)), 422)
  },
  'POST /api/aim/documents': async ({ folder, work }, { body, response }) => {
    const { flows, max } = body
    const input = inputIn(body)
    if (input === undefined || !isNames(flows) || !isTrials(max) || typeof max !== 'number')
      return refused(400, 'expected an input, flows as a list of names, and max as a positive integer')
    const documents = await work.aim.documents({ input, ...(flows && { flows }), max }, whileOpen(response))
    return documents.ok ? saveDocuments(folder, documents.value) : refused(422, documents.error)
  },
  'POST /api/init': async ({ folder, work }) => {
    const done = await work.init()
    folder.adopt(done.wrote)
    return success(done)
  },
  'POST /api/judge': async ({ stored, work }, { body }) => {
    const [attack, trace, results] = [ownText(body, 'attack'), ownText(body, 'trace'), ownText(body, 'results')]
    if (attack === undefined || trace === undefined) return refused(400, 'missing attack or trace')
    const uploaded = (options: ReadTraceOptions) => readTrace({ text: trace }, options)
    const source = results === undefined ? ok(uploaded) : await stored.open(results, trace)
    if (!source.ok) return refused(404, source.error)
    const bounds = { entries: limits.traceEntries, verdicts: limits.traceVerdicts }
    return orRefused(await work.judge(attack, source.value, bounds), 422)
  },
}

function whileOpen(response: ServerResponse): AbortSignal {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  return closed.signal
}

/** Folder for generated documents, as in `joust aim`. */
const AIMED = 'attacks/aimed'

/** Saves new documents. Existing files are kept. */
function saveDocuments(folder: StudioFolder, { documents, rejected }: AimDocuments): Answer {
  const files: AimedFiles['files'][number][] = []
  for (const { file, text } of documents) {
    const path = `${AIMED}/${file}`
    const saved = folder.save(path, text, undefined)
    if (!saved.ok && saved.error.status !== 409) return refused(saved.error.status, `${path}: ${saved.error.message}`)
    const before = saved.ok ? undefined : folder.read(path)
    files.push({ path, state: saved.ok ? 'wrote' : before?.ok && before.value.text === text ? 'same' : 'kept' })
  }
  return success({ files, rejected } satisfies AimedFiles)
}

/** Handles an admitted request. Returns false if there is no route for the request. */
export async function answer(
  context: RouteContext,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const name = `${request.method} ${url.pathname}`
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined
  if (route === undefined) return false
  const body = request.method === 'POST' ? await readBody(request) : ok({})
  const query = url.searchParams
  const result = body.ok ? await route(context, { query, response, body: body.value }) : body.error
  if (result !== undefined) answerJson(response, result)
  return true
}

export function answerJson(response: ServerResponse, { status, ...content }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end('json' in content ? content.json : writeJson(content.value))
}

export function refused(status: number, error: string): Answer {
  return { status, value: { error } }
}

function success(value: unknown, status = 200): Answer {
  return { status, value }
}

function orRefused(result: Result<unknown, string>, status: number): Answer {
  return result.ok ? success(result.value) : refused(status, result.error)
}

/** Responds with the result of a file operation. A deleted file becomes null. */
function fileAnswer(result: Result<unknown, FolderFault>): Answer {
  return result.ok ? success(result.value ?? null) : refused(result.error.status, result.error.message)
}

async function readBody(request: IncomingMessage): Promise<Result<ValueRecord, Answer>> {
  // Forms on other pages can send only other content types.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return err(refused(415, 'expected content type application/json'))
  const body = createBoundedBytes(limits.bodyBytes)
  let isWhole = true
  // Also reads the excess; otherwise the connection closes before the page receives the response.
  for await (const part of request as AsyncIterable<Buffer>) isWhole = body.add(part)
  if (!isWhole) return err(refused(413, `the body exceeds ${limits.bodyBytes} bytes`))
  try {
    const value: unknown = JSON.parse(body.text())
    if (isRecord(value)) return ok(value)
  } catch {
    // Reported below.
  }
  return err(refused(400, 'the body is not a JSON object'))
}

const INVALID_REQUEST = 'expected attacks and targets to be lists of names, and trials a positive integer or "auto"'

function requestIn(body: ValueRecord): RunRequest | undefined {
  const { attacks, targets, trials } = body
  if (!isNames(attacks) || !isNames(targets) || !isTrials(trials)) return undefined
  return { ...(attacks && { attacks }), ...(targets && { targets }), ...(trials !== undefined && { trials }) }
}

function isTrials(value: unknown): value is RunRequest['trials'] {
  if (value === undefined || value === 'auto') return true
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function isNames(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

function placeIn(query: URLSearchParams): RunPlace {
  const place = { target: query.get('target') ?? '', file: query.get('file') ?? '' }
  const arm = query.get('arm') === 'placebo' ? 'placebo' : undefined
  return { ...place, ...(arm && { arm }), trial: Number(query.get('trial')) || 0 }
}

function inputIn({ input }: ValueRecord): AimInput | undefined {
  if (!isRecord(input)) return undefined
  const { kind, name, starts } = input
  const known = (['config', 'session', 'tools', 'target'] as const).find((one) => one === kind)
  return known === undefined || typeof name !== 'string' || !isNames(starts) || starts === undefined
    ? undefined
    : { kind: known, name, starts }
}

/** Returns the labels in a request, which may be empty. Undefined if the labels are invalid. */
function labelsIn({ labels = {} }: ValueRecord): AimRequest['labels'] {
  if (!isRecord(labels)) return undefined
  const entries = Object.entries(labels).flatMap(([tool, words]) =>
    isNames(words) && words !== undefined ? [[tool, words] as const] : [],
  )
  return entries.length === Object.keys(labels).length ? Object.fromEntries(entries) : undefined
}
