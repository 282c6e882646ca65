/** Model access of a target: a proxy between agent and model, with a path prefix for each run. */
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

/** Options of {@link createModelAccess}. */
export interface ModelAccessOptions {
  /** The routes to model APIs; the first one supplies `{model_url}`. */
  readonly routes: readonly [ModelRoute, ...ModelRoute[]]
  /**
   * Creates the model that answers in place of the providers; it may call only the tools of the run's server actors.
   * @default the providers answer
   */
  readonly answer?: (allowTool: AllowTool) => Responder
  /** Leaves all addresses as the user has set them; calls are not observed. @default false */
  readonly direct?: boolean
}

/** Listeners to the model calls of a run. */
export interface ModelHooks {
  /** Called with each call at its end, for budgets. */
  readonly onCall?: (call: ModelCall) => void
  /** Called with each exchange at its end, for recordings. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Returns the source of the answers, such as a recording in place of the given one. @default the given one */
  readonly source?: (live: AnswerSource) => AnswerSource
  /** Creates a model for this run alone, in place of the model from the options. */
  readonly answer?: ModelAccessOptions['answer']
}

/** The model access of one run. */
export interface OpenModel {
  /** The address for `{model_url}`. */
  readonly url: string
  /** Variables with addresses, and with placeholders for keys where no provider is called. */
  readonly env: Readonly<Record<string, string>>
  /** A description of the connection. */
  readonly wiring?: string
  readonly observation?: ModelObservation
  /** Diagnostics about the calls so far. */
  notes(): readonly Diagnostic[]
  /** Ends active calls. Never rejects. */
  close(): Promise<void>
}

/** Opens the model access of a run. Rejects with an `ArenaError`. */
export type OpenModelAccess = (arena: Pick<TargetArena, 'listedTools'>, hooks?: ModelHooks) => Promise<OpenModel>

/**
 * Creates the model access of a target. Its proxy listens while any run is open.
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
      // Variables of the same provider share a prefix, and so do all variables of a model that answers itself.
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
        // A listener reports its own errors.
        await Promise.allSettled([...runs.values()].map((run) => run.close()))
        await server.release()
      },
    }
  }
}

/** The source of the answers without a recording. */
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

/** The key for agents that do not start without one. */
const PLACEHOLDER_KEY = 'sk-0000000000000000'

/** Placeholders for the keys of all known variables, for code that is only loaded. */
export function placeholderKeys(): Record<string, string> {
  return Object.fromEntries(modelVariables.flatMap(({ keys }) => keys.map((key) => [key, PLACEHOLDER_KEY])))
}

/** The variables of a route: its address and, where no provider is called, placeholders for its keys. */
export function variablesOf({ variable, keys }: ModelRoute, url: string, isKeyless: boolean): [string, string][] {
  const placeholders = isKeyless ? keys.map((key): [string, string] => [key, PLACEHOLDER_KEY]) : []
  return variable === undefined ? placeholders : [[variable, url], ...placeholders]
}

/** A proxy that listens while it is in use. */
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

/** Findings about calls whose text cannot be searched. */
const unread: ReadonlySet<string> = new Set([
  ...['request-too-large', 'request-unreadable', 'encoding-unknown', 'encoding-broken', 'path-unknown'],
  'reference-unknown',
])

interface ProxyObservation extends ModelObservation {
  calls(): readonly ModelCall[]
}

/** The model calls of a run at one or several prefixes. A request in an unknown format is missed. */
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

/** Opens the model access of a session, if any, and starts the session with it. */
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

/** A session with the observation of its model; the access is closed after it. */
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
