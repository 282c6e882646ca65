/** What can be asked, one row each. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ok } from '@joust/source'
import type { ProjectInfo, ProofText, RunPlace, RunRequest, SetUp } from '../model/api.ts'
import { answerJson, readBody, refuse, textIn, textsIn } from './answer.ts'
import type { CampaignWork } from './campaigns.ts'
import type { EventHub } from './events.ts'
import type { FolderFault, StudioFolder } from './folder.ts'
import { judgeTrace, traceIn } from './judge-trace.ts'
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
  readonly hub: EventHub
  readonly work: StudioWork
}

type Body = { readonly [key: string]: unknown }
type Answer = (
  context: RouteContext,
  response: ServerResponse,
  query: URLSearchParams,
  request: IncomingMessage,
) => Promise<void> | void
type Change = (
  context: RouteContext,
  response: ServerResponse,
  body: Body,
  request: IncomingMessage,
) => Promise<void> | void

const questions: Readonly<Record<string, Answer>> = {
  '/api/events': ({ hub }, response, query, { headers }) => {
    hub.open(response, Number(headers['last-event-id'] ?? query.get('after') ?? hub.last()))
  },
  '/api/state': ({ suites, hub, folder }, response) =>
    answerJson(response, 200, {
      folder: folder.root.split(/[/\\]/).at(-1) ?? '',
      last: hub.last(),
      suites: suites.all(),
    }),
  '/api/project': async ({ work }, response) => answerJson(response, 200, await work.project()),
  '/api/files': ({ folder }, response) => answerJson(response, 200, folder.list()),
  '/api/file': ({ folder }, response, query) => tell(response, folder.read(query.get('path') ?? '')),
  '/api/messages': ({ suites }, response, query) =>
    answerJson(response, 200, suites.messages(Number(query.get('suite')), placeIn(query)) ?? []),
  '/api/results': async ({ stored }, response, query) => {
    const name = query.get('name')
    if (name === null) return answerJson(response, 200, await stored.list())
    const results = await stored.read(name)
    return results.ok ? answerJson(response, 200, results.value) : refuse(response, 404, results.error)
  },
  '/api/campaigns': async ({ work }, response) => answerJson(response, 200, (await work.campaigns?.list()) ?? []),
  '/api/campaign': async ({ work }, response, query) =>
    answerJson(response, 200, (await work.campaigns?.runs(query.get('name') ?? '')) ?? []),
  '/api/watch': async ({ work }, response, query) => {
    const seen = { attempt: query.get('attempt') ?? '', part: Number(query.get('part')) || 0 }
    const run = await work.campaigns?.watch(query.get('name') ?? '', placeIn(query), seen)
    return run === undefined ? refuse(response, 404, 'there is no such run') : answerJson(response, 200, run)
  },
  '/api/trace': async ({ stored }, response, query) => {
    const entries = await stored.trace(query.get('name') ?? '', query.get('trace') ?? '')
    return entries.ok ? answerJson(response, 200, entries.value) : refuse(response, 404, entries.error)
  },
}

const changes: Readonly<Record<string, Change>> = {
  '/api/save': ({ folder }, response, body) => {
    const [path, text] = [textIn(body, 'path'), textIn(body, 'text')]
    if (path === undefined || text === undefined) return refuse(response, 400, 'name a path and a text')
    return tell(response, folder.save(path, text, textIn(body, 'version')))
  },
  '/api/undo': ({ folder }, response, body) => {
    const undone = folder.undo(textIn(body, 'path') ?? '')
    return undone.ok ? answerJson(response, 200, undone.value ?? null) : fail(response, undone.error)
  },
  '/api/run': ({ suites }, response, body) => {
    const request = requestIn(body)
    if (request === undefined) return refuse(response, 400, WHAT_TO_RUN)
    const begun = suites.start(request)
    return begun.ok ? answerJson(response, 201, { suite: begun.value }) : refuse(response, 409, begun.error)
  },
  '/api/stop': ({ suites }, response, body) => {
    const stopped = suites.stop(Number(body.suite))
    return stopped ? answerJson(response, 202, {}) : refuse(response, 404, 'no such suite is running')
  },
  '/api/submit': async ({ work }, response, body) => {
    const request = requestIn(body)
    if (request === undefined) return refuse(response, 400, WHAT_TO_RUN)
    const submitted = await work.campaigns?.submit(request)
    if (submitted === undefined) return refuse(response, 404, 'there is no queue; joust studio --queue names one')
    return submitted.ok
      ? answerJson(response, 201, { campaign: submitted.value })
      : refuse(response, 422, submitted.error)
  },
  '/api/cancel': async ({ work }, response, body) => {
    const cancelled = await work.campaigns?.cancel(textIn(body, 'name') ?? '')
    return cancelled === true ? answerJson(response, 202, {}) : refuse(response, 404, 'no such campaign is open')
  },
  '/api/prove': async ({ folder, work }, response, body) => {
    const read = folder.read(textIn(body, 'path') ?? '')
    if (!read.ok) return fail(response, read.error)
    const left = new AbortController()
    response.on('close', () => left.abort())
    return answerJson(response, 200, await work.prove(read.value.path, left.signal))
  },
  '/api/init': async ({ folder, work }, response) => {
    const done = await work.init()
    folder.adopt(done.wrote)
    return answerJson(response, 200, done)
  },
  '/api/judge': async ({ stored }, response, body) => {
    const [attack, trace, results] = [textIn(body, 'attack'), textIn(body, 'trace'), textIn(body, 'results')]
    if (attack === undefined || trace === undefined) return refuse(response, 400, 'name an attack and a trace')
    const opened = results === undefined ? ok(traceIn(trace)) : await stored.open(results, trace)
    if (!opened.ok) return refuse(response, 404, opened.error)
    const judged = await judgeTrace(attack, opened.value)
    return judged.ok ? answerJson(response, 200, judged.value) : refuse(response, 422, judged.error)
  },
}

/** Answers an admitted request; false where there is no such route. */
export async function answer(
  context: RouteContext,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname } = url
  if (request.method === 'GET' && Object.hasOwn(questions, pathname)) {
    await questions[pathname]?.(context, response, url.searchParams, request)
    return true
  }
  if (request.method !== 'POST' || !Object.hasOwn(changes, pathname)) return false
  const body = await readBody(request)
  if (body.ok) await changes[pathname]?.(context, response, body.value, request)
  else refuse(response, body.error.status, body.error.message)
  return true
}

const WHAT_TO_RUN = 'attacks and targets must be lists of names, trials a number of at least 1'

function requestIn(body: Body): RunRequest | undefined {
  const { attacks, targets, trials } = body
  const lists = { attacks: textsIn(body, 'attacks'), targets: textsIn(body, 'targets') }
  if ((attacks !== undefined && lists.attacks === undefined) || (targets !== undefined && lists.targets === undefined))
    return undefined
  if (trials !== undefined && !(typeof trials === 'number' && Number.isSafeInteger(trials) && trials > 0))
    return undefined
  return {
    ...(lists.attacks && { attacks: lists.attacks }),
    ...(lists.targets && { targets: lists.targets }),
    ...(typeof trials === 'number' && { trials }),
  }
}

function placeIn(query: URLSearchParams): RunPlace {
  return { target: query.get('target') ?? '', file: query.get('file') ?? '', trial: Number(query.get('trial')) || 0 }
}

function tell(response: ServerResponse, result: ReturnType<StudioFolder['read']>): void {
  if (result.ok) answerJson(response, 200, result.value)
  else fail(response, result.error)
}

function fail(response: ServerResponse, { status, message, version }: FolderFault): void {
  refuse(response, status, message, version === undefined ? {} : { version })
}
