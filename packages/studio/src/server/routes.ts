/** What can be asked, one row each. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { type ReadTraceOptions, readTrace } from '@joust/arena'
import { createBoundedBytes } from '@joust/io'
import { err, isRecord, ok, ownText, type Result, type ValueRecord, writeJson } from '@joust/source'
import type { ProjectInfo, ProofText, RunPlace, RunRequest, SetUp } from '../model/api.ts'
import { limits } from '../model/limits.ts'
import type { CampaignWork } from './campaigns.ts'
import type { FolderFault, StudioFolder } from './folder.ts'
import { judgeTrace } from './judge-trace.ts'
import type { StoredRuns } from './results.ts'
import type { RunSuite, Suites } from './suites.ts'

/** What the command can do and the server cannot. */
export interface StudioWork {
  /** What the project file of the folder says. */
  readonly project: () => Promise<ProjectInfo>
  readonly run: RunSuite
  /** Runs a document of the folder against simulated agents. */
  readonly prove: (path: string, signal: AbortSignal) => Promise<ProofText>
  /** Writes a project file and a first attack where there are none; returns what was done, and which files are new. */
  readonly init: () => Promise<SetUp>
  /** Campaigns, where a queue was named. */
  readonly campaigns?: CampaignWork
}

/** What routes work with. */
export interface RouteContext {
  readonly folder: StudioFolder
  readonly stored: StoredRuns
  readonly suites: Suites
  readonly work: StudioWork
}

/** A question, or a change that is asked for. */
interface Asked {
  readonly query: URLSearchParams
  /** Empty for a question. */
  readonly body: ValueRecord
  readonly response: ServerResponse
}

interface Answer {
  readonly status: number
  readonly value: unknown
}

/** Returns nothing where it has taken over the response. */
type Route = (context: RouteContext, asked: Asked) => Promise<Answer> | Answer | undefined

const routes: Readonly<Record<string, Route>> = {
  'GET /api/state': ({ suites, folder }, { query }) => {
    const version = suites.version()
    const suite = query.get('known') === version ? undefined : suites.last()
    return given({ folder: basename(folder.root), version, suite })
  },
  'GET /api/events': ({ suites }, { response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 500\n\n')
    const tell = () => response.writableNeedDrain || response.write(`data: ${suites.version()}\n\n`)
    response.on('drain', tell).on('close', suites.onChange(tell))
    return undefined
  },
  'GET /api/project': async ({ work }) => given(await work.project()),
  'GET /api/files': ({ folder }) => given(folder.list()),
  'GET /api/file': ({ folder }, { query }) => fileAnswer(folder.read(query.get('path') ?? '')),
  'GET /api/results': async ({ stored }, { query }) => {
    const name = query.get('name')
    return name === null ? given(await stored.list()) : orRefused(await stored.read(name), 404)
  },
  'GET /api/trace': async ({ stored }, { query }) =>
    orRefused(await stored.trace(query.get('name') ?? '', query.get('trace') ?? ''), 404),
  'GET /api/campaigns': async ({ work }) => given((await work.campaigns?.list()) ?? []),
  'GET /api/campaign': async ({ work }, { query }) =>
    given((await work.campaigns?.runs(query.get('name') ?? '')) ?? []),
  'GET /api/watch': async ({ suites, work }, { query }) => {
    const seen = { attempt: query.get('attempt') ?? '', part: Number(query.get('part')) || 0 }
    const [suite, place] = [query.get('suite'), placeIn(query)]
    const run =
      suite === null
        ? await work.campaigns?.watch(query.get('name') ?? '', place, seen)
        : suites.watch(Number(suite), place, seen)
    return run === undefined ? refused(404, 'there is no such run') : given(run)
  },
  'POST /api/save': ({ folder }, { body }) => {
    const [path, text] = [ownText(body, 'path'), ownText(body, 'text')]
    if (path === undefined || text === undefined) return refused(400, 'name a path and a text')
    return fileAnswer(folder.save(path, text, ownText(body, 'version')))
  },
  'POST /api/undo': ({ folder }, { body }) => fileAnswer(folder.undo(ownText(body, 'path') ?? '')),
  'POST /api/run': ({ suites }, { body }) => {
    const request = requestIn(body)
    if (request === undefined) return refused(400, WHAT_TO_RUN)
    const begun = suites.start(request)
    return begun.ok ? given({ suite: begun.value }, 201) : refused(409, begun.error)
  },
  'POST /api/stop': ({ suites }, { body }) =>
    suites.stop(Number(body.suite)) ? given({}, 202) : refused(404, 'no such suite is running'),
  'POST /api/submit': async ({ work }, { body }) => {
    const request = requestIn(body)
    if (request === undefined) return refused(400, WHAT_TO_RUN)
    const submitted = await work.campaigns?.submit(request)
    if (submitted === undefined) return refused(404, 'there is no queue; joust studio --queue names one')
    return submitted.ok ? given({ campaign: submitted.value }, 201) : refused(422, submitted.error)
  },
  'POST /api/cancel': async ({ work }, { body }) => {
    const cancelled = await work.campaigns?.cancel(ownText(body, 'name') ?? '')
    return cancelled === true ? given({}, 202) : refused(404, 'no such campaign is open')
  },
  'POST /api/prove': async ({ folder, work }, { body, response }) => {
    const read = folder.read(ownText(body, 'path') ?? '')
    if (!read.ok) return fileAnswer(read)
    const left = new AbortController()
    response.on('close', () => left.abort())
    return given(await work.prove(read.value.path, left.signal))
  },
  'POST /api/init': async ({ folder, work }) => {
    const done = await work.init()
    folder.adopt(done.wrote)
    return given(done)
  },
  'POST /api/judge': async ({ stored }, { body }) => {
    const [attack, trace, results] = [ownText(body, 'attack'), ownText(body, 'trace'), ownText(body, 'results')]
    if (attack === undefined || trace === undefined) return refused(400, 'name an attack and a trace')
    const sent = (options: ReadTraceOptions) => readTrace({ text: trace }, options)
    const opened = results === undefined ? ok(sent) : await stored.open(results, trace)
    return opened.ok ? orRefused(await judgeTrace(attack, opened.value), 422) : refused(404, opened.error)
  },
}

/** Answers an admitted request; false where there is no such route. */
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
  const said = body.ok ? await route(context, { query, response, body: body.value }) : body.error
  if (said !== undefined) answerJson(response, said)
  return true
}

export function answerJson(response: ServerResponse, { status, value }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(writeJson(value))
}

export function refused(status: number, error: string): Answer {
  return { status, value: { error } }
}

function given(value: unknown, status = 200): Answer {
  return { status, value }
}

function orRefused(result: Result<unknown, string>, status: number): Answer {
  return result.ok ? given(result.value) : refused(status, result.error)
}

/** JSON has no undefined: a file that is gone is null. */
function fileAnswer(result: Result<unknown, FolderFault>): Answer {
  return result.ok ? given(result.value ?? null) : refused(result.error.status, result.error.message)
}

/** The body as JSON, or why not. */
async function readBody(request: IncomingMessage): Promise<Result<ValueRecord, Answer>> {
  // A form on any page could send another content type.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return err(refused(415, 'send JSON'))
  const body = createBoundedBytes(limits.bodyBytes)
  let isWhole = true
  // The excess is read as well, or the page would lose its connection before it gets the answer.
  for await (const part of request as AsyncIterable<Buffer>) isWhole = body.add(part)
  if (!isWhole) return err(refused(413, `more than ${limits.bodyBytes} bytes`))
  try {
    const value: unknown = JSON.parse(body.text())
    if (isRecord(value)) return ok(value)
  } catch {
    // Reported below.
  }
  return err(refused(400, 'the body is not a JSON object'))
}

const WHAT_TO_RUN = 'attacks and targets must be lists of names, trials a number of at least 1'

function requestIn(body: ValueRecord): RunRequest | undefined {
  const { attacks, targets, trials } = body
  if (!isNames(attacks) || !isNames(targets)) return undefined
  if (trials !== undefined && !(typeof trials === 'number' && Number.isSafeInteger(trials) && trials > 0))
    return undefined
  return { ...(attacks && { attacks }), ...(targets && { targets }), ...(trials !== undefined && { trials }) }
}

function isNames(value: unknown): value is readonly string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

function placeIn(query: URLSearchParams): RunPlace {
  return { target: query.get('target') ?? '', file: query.get('file') ?? '', trial: Number(query.get('trial')) || 0 }
}
