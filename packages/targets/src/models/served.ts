/** A model proxy at a fixed address, for a running agent that is configured only once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ArenaError, type ModelObservation } from '@joust/arena'
import { type AnswerSource, type ModelCall, type ModelProxy, type ModelRun, startModelProxy } from '@joust/models'
import { diagnostic } from '@joust/results'
import { messageOf } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { asGiven, type ModelAccessOptions, type OpenModelAccess, observationOf, variablesOf } from './access.ts'
import { type AllowTool, createToolPolicy, restrictedTools } from './listed-tools.ts'
import { notesOf } from './notes.ts'
import type { ModelRoute } from './variables.ts'

/** Options for {@link createServedModel}. */
export interface ServedModelOptions extends Pick<ModelAccessOptions, 'answer'> {
  /** The loopback address to listen on. @default '127.0.0.1' */
  readonly host?: string
  /** The port. 0 selects a free port, for agents that are started later. */
  readonly port: number
  /** Routes to model APIs. The first supplies `{model_url}`. Without `answer`, all must have the same origin. */
  readonly routes: ModelAccessOptions['routes']
  /** True if no provider is called, so that the agent needs no key. @default true with `answer` */
  readonly isKeyless?: boolean
}

/** Model access of a running agent. All calls by the agent use one URL, so its runs cannot overlap. */
export interface ServedModel {
  /** The base URL to configure in the agent. With port 0, the URL is known only once the proxy listens. */
  readonly url: string
  /** The URL without the model API path. */
  readonly origin: string
  /** Environment variables for an agent that Joust starts. If no provider is called, they include placeholder keys. */
  readonly env: Readonly<Record<string, string>>
  readonly access: OpenModelAccess
  /** Starts listening. Rejects with an `ArenaError` if the address is unavailable. */
  open(): Promise<void>
  close(): Promise<void>
}

/**
 * Creates a proxy that does not listen yet. Between runs, the proxy responds as in a run, but the calls are not
 * recorded in any run.
 *
 * @example
 * const served = createServedModel({ port: 8090, routes: unwrap(modelRoutes({}, () => undefined)) })
 * await served.open()
 * console.log(`set OPENAI_BASE_URL to ${served.url}`)
 */
export function createServedModel(options: ServedModelOptions): ServedModel {
  const { host = '127.0.0.1', port, routes, answer, isKeyless = answer !== undefined } = options
  const [{ address, rewrite }] = routes
  const upstream = new URL(address).origin
  const origin = () => proxy?.url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const urlOf = (route: ModelRoute) => `${origin()}${new URL(route.address).pathname.replace(/^\/$/, '')}`
  const liveSource = (allowTool: AllowTool, own = answer): AnswerSource =>
    own === undefined ? { upstream, ...(rewrite && { rewrite }) } : { answer: own(allowTool) }
  const policy = createToolPolicy()
  let proxy: ModelProxy | undefined
  let between: ModelRun | undefined
  let last: ModelRun | undefined
  let isInUse = false
  const openBetween = () => {
    between = proxy?.open({ ...liveSource(() => false), atRoot: true })
  }
  return {
    get url() {
      return urlOf(routes[0])
    },
    get origin() {
      return origin()
    },
    get env() {
      return Object.fromEntries(routes.flatMap((route) => variablesOf(route, urlOf(route), isKeyless)))
    },
    async open() {
      proxy ??= await startModelProxy({ host, port }).catch((cause: unknown) => {
        throw new ArenaError('listen_failed', messageOf(cause), { cause })
      })
      openBetween()
    },
    async access({ listedTools = () => [] }, { source = asGiven, answer: own = answer, ...listeners } = {}) {
      if (proxy === undefined) throw new ArenaError('listen_failed', 'the model proxy is not open')
      if (isInUse) throw new ArenaError('listen_failed', ONE_AT_A_TIME)
      isInUse = true
      const earlier = [last, between].filter((run) => run !== undefined)
      const stray = await callsOutside(last, between)
      const { allowTool, onCall } = restrictedTools(policy, listedTools, listeners.onCall)
      const run = proxy.open({ ...source(liveSource(allowTool, own)), ...listeners, onCall, atRoot: true })
      await Promise.allSettled(earlier.map((one) => one.close()))
      const observation = observe(run, stray, new Set(earlier.flatMap((one) => idsIn(one.calls()))))
      return {
        url: urlOf(routes[0]),
        env: {},
        wiring: `model calls to ${urlOf(routes[0])} → ${own === undefined ? address : 'the model of this run'}`,
        observation,
        notes: () => (stray === 0 ? notesOf(run.calls()) : [diagnostic('model-calls-unattributed', UNATTRIBUTED)]),
        async close() {
          last = run
          openBetween()
          isInUse = false
        },
      }
    },
    async close() {
      await proxy?.close()
      proxy = undefined
    },
  }
}

const ONE_AT_A_TIME =
  'the model proxy is in use by another run; an agent with a single model URL supports only one run at a time'

const UNATTRIBUTED = 'the agent called its model between runs: model calls in this run may belong to an earlier one'

/** Waits until the last run's calls have ended. Returns the number of calls made between runs or still active. */
async function callsOutside(last: ModelRun | undefined, between: ModelRun | undefined): Promise<number> {
  const active = () => (last?.active() ?? 0) + (between?.active() ?? 0)
  const end = Date.now() + targetLimits.modelIdleMs
  while (active() > 0 && Date.now() < end) await sleep(25)
  return active() + (between?.calls().filter(({ wire }) => wire !== 'other').length ?? 0)
}

/** Returns the ids of tool calls requested by a model. In wire formats without ids, they are tool names. */
function idsIn(calls: readonly Pick<ModelCall, 'answer'>[]): readonly string[] {
  return calls.flatMap(({ answer }) => answer.calls.map(({ id }) => id))
}

/**
 * Observes a run. Ignores model calls made between runs, because the agent may still be working on an earlier run. Also
 * ignores requests that contain tool calls from the previous run but none from this run.
 */
function observe(run: ModelRun, stray: number, earlier: ReadonlySet<string>): ModelObservation {
  const observed = observationOf([run])
  if (stray > 0) return { calls: () => [], missed: () => stray + observed.calls().length + observed.missed() }
  const sorted = () => {
    const own = new Set<string>()
    const calls = observed.calls().filter((call) => {
      // A request that refers to an earlier response contains only the tool result.
      const ids = call.messages.flatMap((message) => ('id' in message ? [message.id] : []))
      const isLate = ids.some((id) => earlier.has(id)) && !ids.some((id) => own.has(id))
      if (!isLate) for (const id of idsIn([call])) own.add(id)
      return !isLate
    })
    return { calls, late: observed.calls().length - calls.length }
  }
  return { calls: () => sorted().calls, missed: () => sorted().late + observed.missed() }
}
