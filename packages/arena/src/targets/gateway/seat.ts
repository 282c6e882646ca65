/** A run at the gateway: which of its actors is in which slot, and by what its requests are told from those of others. */
import { ArenaError } from '../../model/errors.ts'
import type { HttpHandler, HttpListening } from '../../model/http.ts'
import type { Listen } from '../../model/wiring.ts'
import { type SlotKind, slotPath } from './place.ts'
import { createPlug, type Plug } from './plug.ts'

/** The place of one run at a gateway. */
export interface GatewaySeat {
  /** The slot of a server actor: those of a kind get them in the order in which they ask. Undefined where there is none for its mode. */
  listen(actor: string, mode: string): Listen | undefined
  /** What requests to the agent carry, so that it can pass it on to its servers. */
  readonly headers: Readonly<Record<string, string>>
  /** What kept the agent from an actor, a sentence each. */
  faults(): readonly string[]
}

/** The same, as the gateway sees it. */
export interface Seat extends GatewaySeat {
  /** Tells its requests from those of other runs, where runs go side by side. */
  readonly mark: string | undefined
  plugAt(kind: SlotKind, number: number): Plug | undefined
  /** A client came with the session of an earlier run, and was told so. */
  noteStale(kind: SlotKind, number: number): void
  fail(fault: string): void
}

/** What a seat needs of its gateway. */
export interface SeatHost {
  /** Rejects with an `ArenaError` when the seat cannot be taken now; resolves with the origin. */
  take(seat: Seat): string
  leave(seat: Seat): void
  onSession(id: string, seat: Seat): void
}

const kinds: Readonly<Record<string, SlotKind>> = { mcp_server: 'mcp', a2a_server: 'a2a' }

/** A seat that nobody has taken yet. `header` names what tells runs apart; without it there is only one at a time. */
export function createSeat(host: SeatHost, header: string | undefined): Seat {
  const mark = header === undefined ? undefined : crypto.randomUUID()
  const plugs = new Map<string, Plug>()
  const given: Record<SlotKind, number> = { mcp: 0, a2a: 0 }
  /** Slots where a client came with an old session, and slots where one came without. */
  const stale = new Set<string>()
  const met = new Set<string>()
  const faults = new Set<string>()

  const plugIn = async (path: string, handler: HttpHandler): Promise<HttpListening> => {
    const origin = host.take(seat)
    const meet: HttpHandler = (request, reply) => {
      met.add(path)
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
    noteStale: (kind, number) => stale.add(slotPath(kind, number)),
    fail: (fault) => faults.add(fault),
    faults: () => [
      ...faults,
      ...[...stale]
        .filter((path) => !met.has(path))
        .map(
          (path) =>
            `the agent came to ${path} with the session of an earlier run and did not begin a new one when told to; from now on it is answered anyway`,
        ),
    ],
  }
  return seat
}

/** Why a seat cannot be taken. */
export function refused(why: string): ArenaError {
  return new ArenaError('listen_failed', why)
}
