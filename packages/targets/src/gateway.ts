/**
 * A gateway: fixed addresses (slots) for an agent that is configured only once. Each run assigns actors to the slots.
 */

import { arenaLimits, defaultRunLimits, forgetOldest } from '@joust/arena'
import type { HttpHandler, HttpListening, HttpRequest } from '@joust/arena/wire'
import { checkPage, listenHttp, SESSION_HEADER, sendEmpty } from '@joust/arena/wire'
import { isLoopback } from '@joust/io'
import { type LoadedAttack, roleOf } from '@joust/oatf'
import { messageOf } from '@joust/source'
import { beginsSession, callsIn } from './gateway/calls.ts'
import {
  type ActiveRun,
  createGatewayRun,
  type GatewayRun,
  listenError,
  type RequestedSlot,
  type RunRegistry,
  requestedSlot,
  type SlotKind,
  type Slots,
  slotPath,
} from './gateway/gateway-run.ts'
import { answerIdle, sendSessionOver } from './gateway/idle.ts'

/**
 * Options for `createGateway`.
 *
 * @example
 * const gateway = createGateway({ port: 7000 })
 * const target = endpointTarget({ ag_ui: { url: 'http://127.0.0.1:8000/agent' }, gateway })
 */
export interface GatewayOptions {
  /** @default '127.0.0.1' */
  readonly host?: string
  /** The port; 0 selects a free port. @default 0 */
  readonly port?: number
  /**
   * Header with the run token, which Joust adds to requests to the agent and the agent forwards to its servers. The
   * token may also be in the path, after the slot. Without this header, runs cannot overlap.
   * @default none
   */
  readonly header?: string
}

/** A gateway that the runs of a suite share. */
export interface Gateway {
  readonly allowsConcurrentRuns: boolean
  readonly isLocal: boolean
  /** Starts listening. Rejects with an `ArenaError` if the address is unavailable. */
  open(): Promise<void>
  address(kind: SlotKind, number: number): string
  /** Creates one run's part of the gateway, which becomes active when the run's first actor listens. */
  openRun(): GatewayRun
  close(): Promise<void>
}

/** Counts the slots that a suite needs by kind: the most that any attack needs, plus one for each real MCP server. */
export function slotsFor(attacks: Iterable<LoadedAttack>, realServers = 0): Slots {
  const slots = { mcp: 0, a2a: 0 }
  for (const { document } of attacks) {
    const modes = document.attack.execution.actors.map(({ mode }) => mode).filter((mode) => roleOf(mode) === 'server')
    slots.mcp = Math.max(slots.mcp, modes.filter((mode) => mode === 'mcp_server').length)
    slots.a2a = Math.max(slots.a2a, modes.filter((mode) => mode === 'a2a_server').length)
  }
  return { ...slots, mcp: slots.mcp + realServers }
}

/**
 * Creates a gateway that does not listen yet.
 *
 * @example
 * const gateway = createGateway({ port: 7000 })
 */
export function createGateway({ host = '127.0.0.1', port = 0, header }: GatewayOptions = {}): Gateway {
  const name = header?.toLowerCase()
  let listening: HttpListening | undefined
  const origin = () => listening?.origin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const address = (kind: SlotKind, number: number) => `${origin()}${slotPath(kind, number)}`
  const runs = createRuns(name, () => {
    if (listening === undefined) throw listenError('the gateway is not open')
    return origin()
  })
  return {
    allowsConcurrentRuns: name !== undefined,
    isLocal: URL.canParse(origin()) && isLoopback(new URL(origin()).hostname),
    address,
    openRun: () => createGatewayRun(runs.registry, name),
    async open() {
      const handler = createRouter({ runs, origin, address })
      listening ??= await listenHttp({ host, port, maxBodyBytes: defaultRunLimits.messageBytes })(handler)
    },
    async close() {
      await listening?.close()
      listening = undefined
    },
  }
}

interface Runs {
  readonly registry: RunRegistry
  /** Returns the active runs whose token is in the request's path or header; if there are no tokens, the only run. */
  matching(slot: RequestedSlot, request: HttpRequest): readonly ActiveRun[]
  /** True if the request has the token of a run that has ended. */
  isLate(slot: RequestedSlot, request: HttpRequest): boolean
  at(slot: RequestedSlot): readonly ActiveRun[]
  /** Returns the run that created an MCP session; undefined if the run has ended. */
  ofSession(id: string | undefined): ActiveRun | undefined
  /**
   * True if a request with an earlier run's session must get status 404, after which MCP requires a new session. Only
   * true for the first such request, because a client that keeps the session could not use any later run.
   */
  mustReject(id: string): boolean
}

function createRuns(header: string | undefined, origin: () => string): Runs {
  const active = new Set<ActiveRun>()
  const sessions = new Map<string, ActiveRun>()
  const rejected = new Set<string>()
  const ended = new Set<string>()
  const tokensOf = ({ token }: RequestedSlot, { headers }: HttpRequest) => [token, header && headers[header]]
  const remember = (entries: Set<string>, text: string) => {
    entries.add(text)
    forgetOldest(entries, arenaLimits.mcpSessions)
  }
  return {
    registry: {
      add(run) {
        const address = origin()
        if (header === undefined && active.size > 0 && !active.has(run)) throw listenError(ONE_AT_A_TIME)
        active.add(run)
        return address
      },
      remove(run) {
        active.delete(run)
        if (run.token !== undefined) remember(ended, run.token)
        for (const [id, owner] of sessions) if (owner === run) sessions.delete(id)
      },
      onSession(id, run) {
        sessions.set(id, run)
        forgetOldest(sessions, arenaLimits.mcpSessions)
      },
    },
    matching(slot, request) {
      if (header === undefined) return [...active]
      const tokens = tokensOf(slot, request)
      return [...active].filter(({ token }) => tokens.includes(token))
    },
    isLate: (slot, request) => tokensOf(slot, request).some((token) => token !== undefined && ended.has(token)),
    at: ({ kind, number }) => [...active].filter((run) => run.handlerAt(kind, number) !== undefined),
    ofSession: (id) => (id === undefined ? undefined : sessions.get(id)),
    mustReject(id) {
      if (rejected.has(id)) return false
      remember(rejected, id)
      return true
    },
  }
}

const ONE_AT_A_TIME =
  'the gateway is in use by another run: start runs one at a time, or set a header that the agent forwards to its servers'

interface Router {
  readonly runs: Runs
  readonly origin: () => string
  readonly address: Gateway['address']
}

function createRouter({ runs, origin, address }: Router): HttpHandler {
  return async (request, reply) => {
    const slot = requestedSlot(request.target)
    const { run, ...routed } = slot === undefined ? {} : route(slot, runs, request)
    const handler = slot === undefined || routed.isOver ? undefined : run?.handlerAt(slot.kind, slot.number)
    if (slot !== undefined)
      for (const missed of routed.missedBy ?? []) missed.fail(`${slotPath(slot.kind, slot.number)}: ${routed.fault}`)
    if (slot !== undefined && handler !== undefined) {
      const forwarded = { ...request, headers: forActor(request, run, runs), target: slot.below(run?.token) }
      return handler.handle(forwarded, reply).catch((thrown: unknown) => {
        run?.fail(`request to ${slotPath(slot.kind, slot.number)} failed: ${messageOf(thrown)}`)
        reply.destroy()
      })
    }
    if (!checkPage(request, origin()).ok) return sendEmpty(reply, 403)
    // Unused slots also respond, because the agent's configuration is the same for every suite.
    if (slot === undefined) return sendEmpty(reply, 404)
    if (routed.isStale && request.method === 'POST') run?.noteStale(slot.kind, slot.number, request)
    if (routed.isOver) return sendSessionOver(reply)
    await answerIdle(slot.kind, address(slot.kind, slot.number), { ...request, target: slot.below(undefined) }, reply)
  }
}

interface Route {
  readonly run?: ActiveRun | undefined
  /** True if the client must start a new MCP session. The response has status 404. */
  readonly isOver?: true
  /** True if the MCP session belongs to an earlier run. */
  readonly isStale?: true
  /** Runs that may have missed the request, for the reason in `fault`. */
  readonly missedBy?: readonly ActiveRun[]
  readonly fault?: string
}

/** Finds the run that a request belongs to by the token of an active run, otherwise by the MCP session. */
function route(slot: RequestedSlot, runs: Runs, request: HttpRequest): Route {
  const matching = runs.matching(slot, request)
  if (matching.length > 1) return { isOver: true, missedBy: matching, fault: TWO_TOKENS }
  const [run] = matching
  const id = slot.kind === 'mcp' ? request.headers[SESSION_HEADER] : undefined
  const owner = runs.ofSession(id)
  const late = run === undefined && runs.isLate(slot, request)
  // Without a token, a session shows only which run created it; agents that share sessions may use it for another run.
  const lost = run === undefined && !late && callsIn(request).length > 0
  const unrouted = lost ? { missedBy: runs.at(slot).filter((other) => other !== owner), fault: NO_TOKEN } : {}
  if (id !== undefined && owner === undefined && !beginsSession(request) && runs.mustReject(id))
    return { run, isOver: true, isStale: true, ...unrouted }
  if (owner !== undefined && run !== undefined && run !== owner && !beginsSession(request))
    return { isOver: true, missedBy: matching, fault: FOREIGN_SESSION }
  if (late && owner !== undefined) return { isOver: true }
  return { run: run ?? owner, ...unrouted }
}

const FOREIGN_SESSION =
  'a request of this run used the MCP session of another run and got 404: concurrent runs need separate sessions'
const TWO_TOKENS = 'a request had the tokens of two runs, one in its path and one in its header, and got 404'
const NO_TOKEN = 'a call without a run token may belong to this run'

/** Removes a session id that was not issued by the run's actor. */
function forActor({ headers }: HttpRequest, run: ActiveRun | undefined, runs: Runs): HttpRequest['headers'] {
  const { [SESSION_HEADER]: id, ...rest } = headers
  return id === undefined || runs.ofSession(id) === run ? headers : rest
}
