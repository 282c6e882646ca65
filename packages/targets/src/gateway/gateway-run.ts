/** One run's part of a gateway: its slots, actors and token. */

import type { ActorNeeds, Listen, ServerMode, Target, TargetSession } from '@joust/arena'
import { ArenaError } from '@joust/arena'
import type { HttpHandler, HttpListening, HttpReply, HttpRequest } from '@joust/arena/wire'
import { cardPaths, SESSION_HEADER } from '@joust/arena/wire'
import { createMissedCalls } from './calls.ts'

export interface GatewayRun {
  /** Assigns the next slot of the right kind to a server actor; undefined for modes without slots. */
  listen(actor: string, mode: string): Listen | undefined
  /** Headers for requests to the agent, which forwards them to its servers. */
  readonly headers: Readonly<Record<string, string>>
  /** Reasons why requests did not reach an actor, one sentence each. */
  faults(): readonly string[]
}

/** A run with the members that only the gateway uses. */
export interface ActiveRun extends GatewayRun {
  /** The token that identifies requests of this run; undefined if runs cannot overlap. */
  readonly token: string | undefined
  handlerAt(kind: SlotKind, number: number): SlotHandler | undefined
  /** Records that a request with an earlier run's session got status 404. */
  noteStale(kind: SlotKind, number: number, request: HttpRequest): void
  fail(fault: string): void
}

export interface RunRegistry {
  /** Adds a run and returns the origin of the gateway. Throws an `ArenaError` if the run cannot start now. */
  add(run: ActiveRun): string
  remove(run: ActiveRun): void
  onSession(id: string, run: ActiveRun): void
}

const kinds: Readonly<Record<string, SlotKind>> = {
  mcp_server: 'mcp',
  a2a_server: 'a2a',
} satisfies Record<ServerMode, SlotKind>

/** Creates an inactive run. `header` contains the run's token; without a header, runs cannot overlap. */
export function createGatewayRun(registry: RunRegistry, header: string | undefined): ActiveRun {
  const token = header === undefined ? undefined : crypto.randomUUID()
  const handlers = new Map<string, SlotHandler>()
  const assigned: Record<SlotKind, number> = { mcp: 0, a2a: 0 }
  const missed = createMissedCalls()
  const faults = new Set<string>()

  const attach = async (path: string, handler: HttpHandler): Promise<HttpListening> => {
    const origin = registry.add(run)
    const recorded: HttpHandler = (request, reply) => {
      missed.noteArrival(path, request)
      return handler(request, reply)
    }
    const slotHandler = createSlotHandler(recorded, (id) => registry.onSession(id, run))
    handlers.set(path, slotHandler)
    return {
      origin,
      path: token === undefined ? path : `${path}/${token}`,
      async close() {
        if (handlers.get(path) === slotHandler) handlers.delete(path)
        slotHandler.stop()
        if (handlers.size === 0) registry.remove(run)
      },
    }
  }
  const run: ActiveRun = {
    token,
    headers: header === undefined || token === undefined ? {} : { [header]: token },
    listen(_, mode) {
      const kind = kinds[mode]
      if (kind === undefined) return undefined
      assigned[kind] += 1
      const path = slotPath(kind, assigned[kind])
      return { kind: 'http', listen: (handler) => attach(path, handler) }
    },
    handlerAt: (kind, number) => handlers.get(slotPath(kind, number)),
    noteStale: (kind, number, request) => missed.add(slotPath(kind, number), request),
    fail: (fault) => faults.add(fault),
    faults: () => [...faults, ...missed.faults()],
  }
  return run
}

export function listenError(reason: string): ArenaError {
  return new ArenaError('listen_failed', reason)
}

interface SlotHandler {
  handle(request: HttpRequest, reply: HttpReply): Promise<void>
  /** Aborts open requests, as a stopping server does. */
  stop(): void
}

/** Wraps an actor's handler. `onSession` is called with the id of each MCP session that the actor creates. */
function createSlotHandler(handler: HttpHandler, onSession: (id: string) => void): SlotHandler {
  const stopping = new AbortController()
  const open = new Set<HttpReply>()
  return {
    async handle(request, reply) {
      open.add(reply)
      const observed: HttpReply = {
        ...reply,
        head(status, headers = {}) {
          const id = headers[SESSION_HEADER]
          if (id !== undefined) onSession(id)
          reply.head(status, headers)
        },
      }
      try {
        await handler({ ...request, signal: AbortSignal.any([request.signal, stopping.signal]) }, observed)
      } finally {
        open.delete(reply)
      }
    },
    stop() {
      stopping.abort('the server is stopping')
      for (const reply of open) reply.destroy()
      open.clear()
    },
  }
}

export function withGatewayFaults(run: GatewayRun | undefined, session: TargetSession): TargetSession {
  if (run === undefined) return session
  return { ...session, faults: () => [...(session.faults?.() ?? []), ...run.faults()] }
}

/** Returns a target whose server actors listen at the gateway; without a gateway, the target unchanged. */
export function behindGateway(target: Target, gateway: { openRun(): GatewayRun } | undefined): Target {
  const run = gateway?.openRun()
  if (run === undefined) return target
  return { ...target, listen: run.listen, start: async (arena) => withGatewayFaults(run, await target.start(arena)) }
}

/** Describes server actors whose address the agent cannot know, one sentence each. */
export function unknownServers(
  servers: readonly ActorNeeds[],
  knows: (actor: string) => boolean = () => true,
): readonly string[] {
  return servers
    .filter(({ actor }) => !knows(actor))
    .map(({ actor, mode }) => `the agent cannot know the address of the ${mode} actor ${actor}; ${HINT}`)
}

const HINT = 'use a gateway with fixed addresses'

export type SlotKind = 'mcp' | 'a2a'

export type Slots = { readonly [kind in SlotKind]: number }

/** The slot in a request path. */
export interface RequestedSlot {
  readonly kind: SlotKind
  /** Number of the slot among those of its kind, from 1. */
  readonly number: number
  /** The first path segment below the slot, which may be a run token. */
  readonly token: string | undefined
  /** Returns the path and query below the slot, without the token. */
  readonly below: (token: string | undefined) => string
}

export function slotPath(kind: SlotKind, number: number): string {
  return `/${kind}/${number}`
}

/**
 * Finds the slot of a path. An agent card at the root of the host, which some clients request, is in the first A2A
 * slot.
 */
export function requestedSlot(target: string): RequestedSlot | undefined {
  const [path = '', query] = target.split(/(?=\?)/, 2)
  const isRootCard = cardPaths.includes(path)
  const [, kind, number = '', ...rest] = `${isRootCard ? slotPath('a2a', 1) : ''}${path}`.split('/')
  if ((kind !== 'mcp' && kind !== 'a2a') || !/^[1-9]\d{0,3}$/.test(number)) return undefined
  return {
    kind,
    number: Number(number),
    token: rest[0],
    below: (token) => `/${(token !== undefined && rest[0] === token ? rest.slice(1) : rest).join('/')}${query ?? ''}`,
  }
}
