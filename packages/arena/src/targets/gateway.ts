/** Fixed addresses for an agent that is told once where its servers are: runs plug their server actors into slots. */

import { isLoopback } from '@joust/io'
import { type LoadedAttack, roleOf } from '@joust/oatf'
import { messageOf } from '@joust/source'
import { pageRefusal } from '../drivers/guard.ts'
import { sendEmpty } from '../drivers/http-body.ts'
import { SESSION_HEADER } from '../drivers/mcp/protocol.ts'
import type { HttpHandler, HttpListening, HttpRequest } from '../model/http.ts'
import { arenaLimits, defaultRunLimits, forgetOldest } from '../model/limits.ts'
import { listenHttp } from '../transport/http-server.ts'
import { beginsSession, callsIn } from './gateway/calls.ts'
import { answerIdle, sendSessionOver } from './gateway/idle.ts'
import {
  createSeat,
  type GatewaySeat,
  type RequestedSlot,
  refused,
  requestedSlot,
  type Seat,
  type SeatHost,
  type SlotKind,
  type Slots,
  slotPath,
} from './gateway/seat.ts'

/** Where a gateway listens. */
export interface GatewayOptions {
  /** Default: loopback. */
  readonly host?: string
  /** Default: any free port. */
  readonly port?: number
  /**
   * The header that distinguishes runs: every request to the agent carries it, and the agent passes it on to its
   * servers. Its value, the mark, may also be in a path, after the slot. Without it, runs go one after the other.
   */
  readonly header?: string
}

/** A gateway: opened once, used by one run after the other, or by several at once where they can be distinguished. */
export interface Gateway {
  /** Whether several runs can use it at once. */
  readonly tellsRunsApart: boolean
  /** Whether nobody but this machine can reach it. */
  readonly isLocal: boolean
  /** Begins to listen; rejects with an `ArenaError` when the address is not available. */
  open(): Promise<void>
  address(kind: SlotKind, number: number): string
  /** A place for one run; it is taken when the first actor of the run begins to listen. */
  seat(): GatewaySeat
  close(): Promise<void>
}

/** How many slots a suite needs: as many of a kind as the attack with the most of them has. */
export function slotsFor(attacks: Iterable<LoadedAttack>): Slots {
  const slots = { mcp: 0, a2a: 0 }
  for (const { document } of attacks) {
    const modes = document.attack.execution.actors.map(({ mode }) => mode).filter((mode) => roleOf(mode) === 'server')
    slots.mcp = Math.max(slots.mcp, modes.filter((mode) => mode === 'mcp_server').length)
    slots.a2a = Math.max(slots.a2a, modes.filter((mode) => mode === 'a2a_server').length)
  }
  return slots
}

/** A gateway that does not listen yet. */
export function createGateway({ host = '127.0.0.1', port = 0, header }: GatewayOptions = {}): Gateway {
  const name = header?.toLowerCase()
  let listening: HttpListening | undefined
  const origin = () => listening?.origin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const address = (kind: SlotKind, number: number) => `${origin()}${slotPath(kind, number)}`
  const seats = createSeats(name, () => {
    if (listening === undefined) throw refused('the gateway is not open')
    return origin()
  })
  return {
    tellsRunsApart: name !== undefined,
    isLocal: URL.canParse(origin()) && isLoopback(new URL(origin()).hostname),
    address,
    seat: () => createSeat(seats.host, name),
    async open() {
      const handler = createRouter({ seats, origin, address })
      listening ??= await listenHttp({ host, port, maxBodyBytes: defaultRunLimits.messageBytes })(handler)
    },
    async close() {
      await listening?.close()
      listening = undefined
    },
  }
}

interface Seats {
  readonly host: SeatHost
  /** The live runs whose mark a request carries, in its path or header; the only run where there are no marks. */
  marked(slot: RequestedSlot, request: HttpRequest): readonly Seat[]
  /** True when a request carries the mark of a run that is over. */
  isLate(slot: RequestedSlot, request: HttpRequest): boolean
  /** The runs that have an actor in a slot. */
  at(slot: RequestedSlot): readonly Seat[]
  /** The run that began an MCP session; undefined when it is over. */
  ofSession(id: string | undefined): Seat | undefined
  /**
   * Whether a client that names a session of an earlier run has to be told that it is over. MCP then makes it begin a
   * new one; a client that comes back with the same one has not understood, and would be lost for all later runs.
   */
  mustTell(id: string): boolean
}

function createSeats(header: string | undefined, origin: () => string): Seats {
  const taken = new Set<Seat>()
  const sessions = new Map<string, Seat>()
  const told = new Set<string>()
  const over = new Set<string>()
  const marksOf = ({ mark }: RequestedSlot, { headers }: HttpRequest) => [mark, header && headers[header]]
  const remember = (kept: Set<string>, text: string) => {
    kept.add(text)
    forgetOldest(kept, arenaLimits.mcpSessions)
  }
  return {
    host: {
      take(seat) {
        const at = origin()
        if (header === undefined && taken.size > 0 && !taken.has(seat)) throw refused(ONE_AT_A_TIME)
        taken.add(seat)
        return at
      },
      leave(seat) {
        taken.delete(seat)
        if (seat.mark !== undefined) remember(over, seat.mark)
        for (const [id, owner] of sessions) if (owner === seat) sessions.delete(id)
      },
      onSession(id, seat) {
        sessions.set(id, seat)
        forgetOldest(sessions, arenaLimits.mcpSessions)
      },
    },
    marked(slot, request) {
      if (header === undefined) return [...taken]
      const marks = marksOf(slot, request)
      return [...taken].filter(({ mark }) => marks.includes(mark))
    },
    isLate: (slot, request) => marksOf(slot, request).some((mark) => mark !== undefined && over.has(mark)),
    at: ({ kind, number }) => [...taken].filter((seat) => seat.plugAt(kind, number) !== undefined),
    ofSession: (id) => (id === undefined ? undefined : sessions.get(id)),
    mustTell(id) {
      if (told.has(id)) return false
      remember(told, id)
      return true
    },
  }
}

const ONE_AT_A_TIME =
  'another run is at the gateway: run them one after the other, or tell them apart by a header that the agent passes on'

interface Router {
  readonly seats: Seats
  readonly origin: () => string
  readonly address: Gateway['address']
}

function createRouter({ seats, origin, address }: Router): HttpHandler {
  return async (request, reply) => {
    const slot = requestedSlot(request.target)
    const { seat, ...routed } = slot === undefined ? {} : route(slot, seats, request)
    const plug = slot === undefined || routed.isOver ? undefined : seat?.plugAt(slot.kind, slot.number)
    if (slot !== undefined && plug !== undefined) {
      const passed = { ...request, headers: forActor(request, seat, seats), target: slot.below(seat?.mark) }
      return plug.handle(passed, reply).catch((thrown: unknown) => {
        seat?.fail(`a request to ${slotPath(slot.kind, slot.number)} could not be answered: ${messageOf(thrown)}`)
        reply.destroy()
      })
    }
    if (pageRefusal(request, origin()) !== undefined) return sendEmpty(reply, 403)
    // Slots that no attack of this suite needs are empty as well: the agent is configured once, for every suite.
    if (slot === undefined) return sendEmpty(reply, 404)
    if (routed.isStale && request.method === 'POST') seat?.noteStale(slot.kind, slot.number, request)
    for (const run of routed.missedBy ?? []) run.fail(`${slotPath(slot.kind, slot.number)}: ${routed.fault}`)
    if (routed.isOver) return sendSessionOver(reply)
    await answerIdle(slot.kind, address(slot.kind, slot.number), { ...request, target: slot.below(undefined) }, reply)
  }
}

interface Route {
  /** The run that the request belongs to. */
  readonly seat?: Seat | undefined
  /** Set when the request cannot be taken in its MCP session: the answer is 404. */
  readonly isOver?: true
  /** Set when that is the session of an earlier run. */
  readonly isStale?: true
  /** The runs that should have seen the request, and the reason why they did not. */
  readonly missedBy?: readonly Seat[]
  readonly fault?: string
}

/** Finds the run of a request. A live mark decides; without one, the run that began the MCP session. */
function route(slot: RequestedSlot, seats: Seats, request: HttpRequest): Route {
  const marked = seats.marked(slot, request)
  if (marked.length > 1) return { isOver: true, missedBy: marked, fault: TWO_MARKS }
  const [seat] = marked
  const id = slot.kind === 'mcp' ? request.headers[SESSION_HEADER] : undefined
  const owner = seats.ofSession(id)
  const late = seat === undefined && seats.isLate(slot, request)
  const lost = seat === undefined && owner === undefined && !late && callsIn(request).length > 0
  const unmarked = lost ? { missedBy: seats.at(slot), fault: UNMARKED } : {}
  if (id !== undefined && owner === undefined && !beginsSession(request) && seats.mustTell(id))
    return { seat, isOver: true, isStale: true, ...unmarked }
  if (owner !== undefined && seat !== undefined && seat !== owner && !beginsSession(request))
    return { isOver: true, missedBy: marked, fault: FOREIGN_SESSION }
  if (late && owner !== undefined) return { isOver: true }
  return { seat: seat ?? owner, ...unmarked }
}

const FOREIGN_SESSION =
  'a request of this run came in the MCP session of another and got 404: runs side by side need a session each'
const TWO_MARKS = 'a request carried the marks of two runs, one in its path and one in its header, and got 404'
const UNMARKED = 'a call came with neither the mark nor the session of a run, so it may have been a call of this one'

/** The headers without a session that the actor cannot know. */
function forActor({ headers }: HttpRequest, seat: Seat | undefined, seats: Seats): HttpRequest['headers'] {
  const { [SESSION_HEADER]: id, ...rest } = headers
  return id === undefined || seats.ofSession(id) === seat ? headers : rest
}
