/** The model access of a target: a proxy between agent and model, with a path prefix for each run. */
import type { ModelObservation, TargetArena, TargetSession } from '@joust/arena'
import { ArenaError } from '@joust/arena'
import {
  type AnswerSource,
  type Exchange,
  type ModelCall,
  type ModelProxy,
  type ModelRun,
  type Responder,
  startModelProxy,
} from '@joust/models'
import { type Diagnostic, messageOf } from '@joust/source'
import { type AllowTool, createToolPolicy, restrictedTools } from './listed-tools.ts'
import { isModelCall, notesOf } from './notes.ts'
import { type ModelRoute, modelVariables } from './variables.ts'

/** Options for {@link createModelAccess}. */
export interface ModelAccessOptions {
  /** Routes to model APIs. The first supplies `{model_url}`. */
  readonly routes: readonly [ModelRoute, ...ModelRoute[]]
  /**
   * Creates a model that replaces the providers. The model may only call the tools of the run's server actors.
   * @default the providers answer
   */
  readonly answer?: (allowTool: AllowTool) => Responder
  /** Leaves all URLs as set by the user, so that calls are not observed. @default false */
  readonly direct?: boolean
}

/** Hooks for a run's model calls. */
export interface ModelHooks {
  /** Called when a call ends, for budgets. */
  readonly onCall?: (call: ModelCall) => void
  /** Called when an exchange ends, for recordings. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Returns the source of answers, such as a recording in place of `live`. @default `live` */
  readonly source?: (live: AnswerSource) => AnswerSource
  /** Creates a model for this run, which replaces the model in the options. */
  readonly answer?: ModelAccessOptions['answer']
}

export interface OpenModel {
  /** The URL for `{model_url}`. */
  readonly url: string
  /** Environment variables with URLs. If no provider is called, also variables with placeholder keys. */
  readonly env: Readonly<Record<string, string>>
  readonly wiring?: string
  readonly observation?: ModelObservation
  /** Diagnostics about finished calls. */
  notes(): readonly Diagnostic[]
  /** Ends calls in progress. Never rejects. */
  close(): Promise<void>
}

/** Opens model access for a run. Rejects with an `ArenaError` on failure. */
export type OpenModelAccess = (arena: Pick<TargetArena, 'listedTools'>, hooks?: ModelHooks) => Promise<OpenModel>

/**
 * Creates the model access of a target. The proxy listens while any run is open.
 *
 * @example
 * const open = createModelAccess({ routes: unwrap(modelRoutes({}, () => undefined)) })
 * const { url, env, close } = await open({ listedTools: () => [] })
 */
export function createModelAccess(options: ModelAccessOptions): OpenModelAccess {
  const { routes, answer, direct = false } = options
  if (direct) return async () => directAccess(routes)
  const server = createSharedProxy()
  const policy = createToolPolicy()
  return async (
    { listedTools = () => [] },
    { source: sourceOf = asGiven, answer: own = answer, ...listeners } = {},
  ) => {
    const proxy = await server.acquire()
    const earlier = proxy.unattributed().length
    const { allowTool, onCall } = restrictedTools(policy, listedTools, listeners.onCall)
    const responder = own?.(allowTool)
    const runs = new Map<string, ModelRun>()
    const addresses = routes.map((route) => {
      const { origin, pathname } = new URL(route.address)
      const source = sourceOf(responder === undefined ? { upstream: origin } : { answer: responder })
      const isKeyless = 'answer' in source
      // Variables of the same provider share a prefix, as do all variables if a model replaces the providers.
      const key = isKeyless ? '' : `${origin} ${route.rewrite !== undefined}`
      const { rewrite } = route
      const run = runs.get(key) ?? proxy.open({ ...source, ...listeners, onCall, ...(rewrite && { rewrite }) })
      runs.set(key, run)
      return { route, url: `${run.url}${pathname === '/' ? '' : pathname}`, isKeyless }
    })
    const [first] = addresses
    const observation = observationOf([...runs.values()])
    return {
      url: first?.url ?? '',
      env: Object.fromEntries(addresses.flatMap(({ route, url, isKeyless }) => variablesOf(route, url, isKeyless))),
      wiring: wiringOf(addresses),
      observation,
      notes: () =>
        notesOf(
          [...runs.values()].flatMap((run) => run.calls()),
          proxy.unattributed().slice(earlier),
        ),
      async close() {
        // Listeners report their errors themselves.
        await Promise.allSettled([...runs.values()].map((run) => run.close()))
        await server.release()
      },
    }
  }
}

/** Returns the source of answers unchanged. */
export const asGiven = (live: AnswerSource): AnswerSource => live

function wiringOf(addresses: readonly { readonly route: ModelRoute; readonly isKeyless: boolean }[]): string {
  const places = addresses.map(({ route, isKeyless }) => (isKeyless ? 'a model of this run' : route.address))
  return `model calls → ${[...new Set(places)].join(', ')}`
}

function directAccess(routes: ModelAccessOptions['routes']): OpenModel {
  const set = routes.flatMap(({ variable, address, isSet }) =>
    variable !== undefined && isSet ? [[variable, address] as const] : [],
  )
  return { url: routes[0].address, env: Object.fromEntries(set), notes: () => [], close: async () => {} }
}

/** A placeholder for agents that do not start without a key. */
const PLACEHOLDER_KEY = 'sk-0000000000000000'

/** Returns placeholder keys for all known variables, for code that is loaded but not run. */
export function placeholderKeys(): Record<string, string> {
  return Object.fromEntries(modelVariables.flatMap(({ keys }) => keys.map((key) => [key, PLACEHOLDER_KEY])))
}

/** Returns the variables of a route: its URL and, if no provider is called, placeholder keys. */
export function variablesOf({ variable, keys }: ModelRoute, url: string, isKeyless: boolean): [string, string][] {
  const placeholders = isKeyless ? keys.map((key): [string, string] => [key, PLACEHOLDER_KEY]) : []
  return variable === undefined ? placeholders : [[variable, url], ...placeholders]
}

/** Creates a proxy that listens only while it is in use. */
function createSharedProxy() {
  let users = 0
  let proxy: Promise<ModelProxy> | undefined
  return {
    async acquire(): Promise<ModelProxy> {
      users += 1
      proxy ??= startModelProxy()
      try {
        return await proxy
      } catch (thrown) {
        users -= 1
        proxy = undefined
        throw new ArenaError('listen_failed', messageOf(thrown), { cause: thrown })
      }
    },
    async release(): Promise<void> {
      users -= 1
      if (users > 0) return
      const idle = proxy
      proxy = undefined
      await (await idle)?.close()
    },
  }
}

/** Codes of diagnostics about calls whose text cannot be searched. */
const unread: ReadonlySet<string> = new Set([
  ...['request-too-large', 'request-unreadable', 'encoding-unknown', 'encoding-broken', 'path-unknown'],
  'reference-unknown',
])

interface ProxyObservation extends ModelObservation {
  calls(): readonly ModelCall[]
}

/** Returns a run's model calls to one or more path prefixes. Requests in an unknown format are counted as missed. */
export function observationOf(runs: readonly ModelRun[]): ProxyObservation {
  const sent = () => runs.flatMap((run) => run.calls())
  const calls = () => {
    const all = sent().filter(isModelCall)
    if (runs.length === 1) return all
    return all.sort((a, b) => a.started - b.started).map((call, index) => ({ ...call, sequence: index + 1 }))
  }
  return {
    calls,
    missed: () =>
      runs.reduce((sum, run) => sum + run.dropped() + run.active(), 0) +
      sent().filter(({ diagnostics }) => diagnostics.some(({ code }) => unread.has(code))).length,
  }
}

export async function withOpenModel(
  open: OpenModelAccess | undefined,
  arena: TargetArena,
  start: (model: OpenModel | undefined) => Promise<TargetSession>,
): Promise<TargetSession> {
  const model = await open?.(arena)
  try {
    return withModelAccess(await start(model), model)
  } catch (thrown) {
    await model?.close()
    throw thrown
  }
}

/** Adds model access to a session. The access is closed after the session. */
function withModelAccess(session: TargetSession, model: OpenModel | undefined): TargetSession {
  if (model === undefined) return session
  const { wiring, observation } = model
  return {
    ...session,
    wiring: [...(session.wiring ?? []), ...(wiring === undefined ? [] : [wiring])],
    ...(observation && { observation }),
    notes: () => [...(session.notes?.() ?? []), ...model.notes()],
    async stop() {
      await session.stop()
      await model.close()
    },
  }
}
