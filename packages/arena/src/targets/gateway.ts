/** Fixed addresses for an agent that is told once where its servers are: runs plug their server actors into slots. */

import { isLoopback } from '@joust/io'
import { type LoadedAttack, roleOf } from '@joust/oatf'
import { messageOf } from '@joust/source'
import { pageRefusal } from '../drivers/guard.ts'
import { requestText, sendEmpty } from '../drivers/http-body.ts'
import { readMessage } from '../drivers/json-rpc.ts'
import { SESSION_HEADER } from '../drivers/mcp/protocol.ts'
import type { HttpHandler, HttpListening, HttpRequest } from '../model/http.ts'
import { arenaLimits, defaultRunLimits, forgetOldest } from '../model/limits.ts'
import { listenHttp } from '../transport/http-server.ts'
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
  /** The run of a request; undefined when it cannot be determined, or there is none. */
  find(slot: RequestedSlot, request: HttpRequest): Seat | undefined
  /** The run that began an MCP session; undefined when it is over. */
  ofSession(id: string): Seat | undefined
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
  const marked = (mark: string | undefined) => [...taken].find((seat) => mark !== undefined && seat.mark === mark)
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
        for (const [id, owner] of sessions) if (owner === seat) sessions.delete(id)
      },
      onSession(id, seat) {
        sessions.set(id, seat)
        forgetOldest(sessions, arenaLimits.mcpSessions)
      },
    },
    find({ mark }, { headers }) {
      if (header === undefined) return [...taken][0]
      return marked(mark) ?? marked(headers[header])
    },
    ofSession: (id) => sessions.get(id),
    mustTell(id) {
      if (told.has(id)) return false
      told.add(id)
      forgetOldest(told, arenaLimits.mcpSessions)
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
    const [status, seat] = slot === undefined ? [404] : route(slot, seats, request)
    const plug = slot && seat?.plugAt(slot.kind, slot.number)
    if (slot !== undefined && status === 200 && plug !== undefined) {
      const passed = { ...request, headers: forActor(request, seats), target: slot.below(seat?.mark) }
      return plug.handle(passed, reply).catch((thrown: unknown) => {
        seat?.fail(`a request to ${slotPath(slot.kind, slot.number)} could not be answered: ${messageOf(thrown)}`)
        reply.destroy()
      })
    }
    if (pageRefusal(request, origin()) !== undefined) return sendEmpty(reply, 403)
    // Slots that no attack of this suite needs are empty as well: the agent is configured once, for every suite.
    if (slot === undefined) return sendEmpty(reply, 404)
    if (status === 404) {
      if (request.method === 'POST') seat?.noteStale(slot.kind, slot.number)
      return sendSessionOver(reply)
    }
    await answerIdle(slot.kind, address(slot.kind, slot.number), { ...request, target: slot.below(undefined) }, reply)
  }
}

/** Whose request it is; 404 when it names an MCP session that is over. */
function route(
  slot: RequestedSlot,
  seats: Seats,
  request: HttpRequest,
): readonly [status: number, seat: Seat | undefined] {
  const found = seats.find(slot, request)
  const id = request.headers[SESSION_HEADER]
  if (slot.kind !== 'mcp' || id === undefined) return [200, found]
  const owner = seats.ofSession(id)
  if (owner !== undefined) return [200, owner]
  return [!begins(request) && seats.mustTell(id) ? 404 : 200, found]
}

/** Whether a request begins a session: a handshake may still name the session that it replaces. */
function begins(request: HttpRequest): boolean {
  const { text, fault } = requestText(request)
  const message = readMessage(text, defaultRunLimits.messageBytes, fault)
  return message.kind === 'request' && message.method === 'initialize'
}

/** The headers without a session that the actor cannot know. */
function forActor({ headers }: HttpRequest, seats: Seats): HttpRequest['headers'] {
  const id = headers[SESSION_HEADER]
  if (id === undefined || seats.ofSession(id) !== undefined) return headers
  const { [SESSION_HEADER]: _, ...rest } = headers
  return rest
}
