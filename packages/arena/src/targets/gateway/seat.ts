/** A run at the gateway: which of its actors is in which slot, and what tells its requests from those of others. */

import { cardPaths } from '../../drivers/a2a/places.ts'
import { SESSION_HEADER } from '../../drivers/mcp/protocol.ts'
import { ArenaError } from '../../model/errors.ts'
import type { HttpHandler, HttpListening, HttpReply, HttpRequest } from '../../model/http.ts'
import type { ActorNeeds } from '../../model/needs.ts'
import type { TargetSession } from '../../model/target.ts'
import type { Listen, ServerMode } from '../../model/wiring.ts'
import { createMissed } from './calls.ts'

/** The place of one run at a gateway. */
export interface GatewaySeat {
  /**
   * The slot of a server actor: actors of a kind get them in the order in which they ask. Undefined where there is none
   * for its mode.
   */
  listen(actor: string, mode: string): Listen | undefined
  /** What requests to the agent carry, so that it can pass this on to its servers. */
  readonly headers: Readonly<Record<string, string>>
  /** What kept the agent from an actor, one sentence each. */
  faults(): readonly string[]
}

/** The same, as the gateway sees it. */
export interface Seat extends GatewaySeat {
  /** Distinguishes its requests from those of other runs, where runs are made side by side. */
  readonly mark: string | undefined
  plugAt(kind: SlotKind, number: number): Plug | undefined
  /** Notes that a request with the session of an earlier run was answered with 404. */
  noteStale(kind: SlotKind, number: number, request: HttpRequest): void
  fail(fault: string): void
}

/** What a seat needs of its gateway. */
export interface SeatHost {
  /** Returns the origin; throws an `ArenaError` when the seat cannot be taken now. */
  take(seat: Seat): string
  leave(seat: Seat): void
  onSession(id: string, seat: Seat): void
}

const kinds: Readonly<Record<string, SlotKind>> = {
  mcp_server: 'mcp',
  a2a_server: 'a2a',
} satisfies Record<ServerMode, SlotKind>

/** A seat that nobody has taken yet. `header` names what distinguishes runs; without it there is only one at a time. */
export function createSeat(host: SeatHost, header: string | undefined): Seat {
  const mark = header === undefined ? undefined : crypto.randomUUID()
  const plugs = new Map<string, Plug>()
  const given: Record<SlotKind, number> = { mcp: 0, a2a: 0 }
  const missed = createMissed()
  const faults = new Set<string>()

  const plugIn = async (path: string, handler: HttpHandler): Promise<HttpListening> => {
    const origin = host.take(seat)
    const meet: HttpHandler = (request, reply) => {
      missed.meet(path, request)
      return handler(request, reply)
    }
    const plug = createPlug(meet, (id) => host.onSession(id, seat))
    plugs.set(path, plug)
    return {
      origin,
      path: mark === undefined ? path : `${path}/${mark}`,
      async close() {
        if (plugs.get(path) === plug) plugs.delete(path)
        plug.pull()
        if (plugs.size === 0) host.leave(seat)
      },
    }
  }
  const seat: Seat = {
    mark,
    headers: header === undefined || mark === undefined ? {} : { [header]: mark },
    listen(_, mode) {
      const kind = kinds[mode]
      if (kind === undefined) return undefined
      given[kind] += 1
      const path = slotPath(kind, given[kind])
      return { kind: 'http', listen: (handler) => plugIn(path, handler) }
    },
    plugAt: (kind, number) => plugs.get(slotPath(kind, number)),
    noteStale: (kind, number, request) => missed.add(slotPath(kind, number), request),
    fail: (fault) => faults.add(fault),
    faults: () => [...faults, ...missed.faults()],
  }
  return seat
}

/** Why a seat cannot be taken. */
export function refused(why: string): ArenaError {
  return new ArenaError('listen_failed', why)
}

interface Plug {
  handle(request: HttpRequest, reply: HttpReply): Promise<void>
  /** Breaks off what is still under way, as a server that stops does. */
  pull(): void
}

/** Plugs a handler in; `onSession` is called with the MCP sessions that it begins. */
function createPlug(handler: HttpHandler, onSession: (id: string) => void): Plug {
  const over = new AbortController()
  const open = new Set<HttpReply>()
  return {
    async handle(request, reply) {
      open.add(reply)
      const watched: HttpReply = {
        ...reply,
        head(status, headers = {}) {
          const id = headers[SESSION_HEADER]
          if (id !== undefined) onSession(id)
          reply.head(status, headers)
        },
      }
      try {
        await handler({ ...request, signal: AbortSignal.any([request.signal, over.signal]) }, watched)
      } finally {
        open.delete(reply)
      }
    },
    pull() {
      over.abort('the server is stopping')
      for (const reply of open) reply.destroy()
      open.clear()
    },
  }
}

/** The session of a target whose run has a seat: what keeps the agent from its slots is a failure of the run. */
export function atGateway(seat: GatewaySeat | undefined, session: TargetSession): TargetSession {
  if (seat === undefined) return session
  return { ...session, faults: () => [...(session.faults?.() ?? []), ...seat.faults()] }
}

/** Server actors that an agent with a configuration of its own cannot find, one sentence each. */
export function unknownServers(
  servers: readonly ActorNeeds[],
  knows: (actor: string) => boolean = () => true,
): readonly string[] {
  return servers
    .filter(({ actor }) => !knows(actor))
    .map(({ actor, mode }) => `the agent cannot know where the ${mode} actor ${actor} listens; ${MEND}`)
}

const MEND = 'a gateway gives it fixed addresses'

/** What can be plugged into a slot. */
export type SlotKind = 'mcp' | 'a2a'

/** How many slots there are of each kind. */
export type Slots = { readonly [kind in SlotKind]: number }

/** What a request asks for. */
export interface RequestedSlot {
  readonly kind: SlotKind
  /** Counts from 1. */
  readonly number: number
  /** The first part of the path below the slot; it may be the mark of a run. */
  readonly mark: string | undefined
  /** Path and query below the slot, and below the mark as well. */
  readonly below: (mark: string | undefined) => string
}

/** The path of a slot. */
export function slotPath(kind: SlotKind, number: number): string {
  return `/${kind}/${number}`
}

/** The slot that a path leads to. A card at the root of the host, where some clients look, is the first agent's. */
export function requestedSlot(target: string): RequestedSlot | undefined {
  const [path = '', query] = target.split(/(?=\?)/, 2)
  const isRootCard = cardPaths.includes(path)
  const [, kind, number = '', ...rest] = `${isRootCard ? slotPath('a2a', 1) : ''}${path}`.split('/')
  if ((kind !== 'mcp' && kind !== 'a2a') || !/^[1-9]\d{0,3}$/.test(number)) return undefined
  return {
    kind,
    number: Number(number),
    mark: rest[0],
    below: (mark) => `/${(mark !== undefined && rest[0] === mark ? rest.slice(1) : rest).join('/')}${query ?? ''}`,
  }
}
