/** MCP server sessions and their queued messages. Phases belong to the actor, not to a session. */
import { arenaLimits } from '../../model/limits.ts'
import type { Stage } from '../driver.ts'
import type { Outgoing, Outlet } from './outgoing.ts'
import type { Subscription } from './subscriptions.ts'

export interface Session {
  /** Undefined for pipes and for clients without a session id. */
  readonly id: string | undefined
  /** Open streams, the preferred stream last. */
  readonly outlets: Outlet[]
  readonly waiting: Outgoing[]
  /** True after the handshake; no messages are sent before the handshake. */
  ready: boolean
  version?: string
  /** The notifications requested by a listener of MCP 2026-07-28. */
  subscription?: Subscription
}

export interface Sessions {
  /** The session for messages without a session id. */
  readonly anonymous: Session
  find(id: string): Session | undefined
  /** The first session gets all queued messages. */
  begin(id: string | undefined): Session
  end(session: Session): void
  /** Marks a session as active; entry requests go to the most recently active session. */
  heard(session: Session): void
  /** Sends a message to every open session and every listener without a session. */
  sendToAll(make: () => Outgoing): void
  sendToLatest(message: Outgoing): void
  /** True if a stream for unsolicited messages is open. */
  isHeard(): boolean
  /** Sends queued messages if a stream is open. */
  deliver(session: Session): void
  /** Adds a stream. Returns a function that removes the stream. */
  attach(session: Session, outlet: Outlet): () => void
}

export function createSessions(stage: Stage): Sessions {
  const anonymous = createSession(undefined)
  /** Open sessions in order of their last activity. */
  const open = new Set<Session>()
  const byId = new Map<string, Session>()

  const end = (session: Session) => {
    open.delete(session)
    if (session.id !== undefined) byId.delete(session.id)
  }
  const enqueue = (session: Session, message: Outgoing) => {
    const { waiting } = session
    const dropped = waiting.push(message) > arenaLimits.mcpWaiting ? waiting.shift() : undefined
    if (dropped !== undefined) stage.report('not-delivered', `${dropped.what}: the queue for the peer is full`)
    deliver(session)
  }
  return {
    anonymous,
    find: (id) => byId.get(id),
    begin(id) {
      const session = createSession(id)
      session.waiting.push(...anonymous.waiting.splice(0))
      open.add(session)
      if (id !== undefined) byId.set(id, session)
      const [oldest] = open
      if (open.size > arenaLimits.mcpSessions && oldest !== undefined) end(oldest)
      return session
    },
    end,
    heard(session) {
      if (open.delete(session)) open.add(session)
    },
    sendToAll(make) {
      for (const session of open) enqueue(session, make())
      const listeners = listenersOf(anonymous)
      for (const listener of listeners) listener.put(make())
      if (open.size === 0 && listeners.length === 0) enqueue(anonymous, make())
    },
    sendToLatest: (message) => enqueue([...open].at(-1) ?? anonymous, message),
    isHeard: () => [anonymous, ...open].some((session) => listenersOf(session).length > 0),
    deliver,
    attach,
  }
}

function attach({ outlets }: Session, outlet: Outlet): () => void {
  if (outlet.listening) outlets.push(outlet)
  else outlets.unshift(outlet)
  return () => {
    const index = outlets.indexOf(outlet)
    if (index >= 0) outlets.splice(index, 1)
  }
}

/** Returns the streams for unsolicited messages; none before the handshake is done. */
function listenersOf({ ready, outlets }: Session): readonly Outlet[] {
  return ready ? outlets.filter(({ listening }) => listening) : []
}

function createSession(id: string | undefined): Session {
  return { id, outlets: [], waiting: [], ready: false }
}

function deliver(session: Session): void {
  const outlet = session.ready ? session.outlets.at(-1) : undefined
  if (outlet === undefined) return
  for (const message of session.waiting.splice(0)) {
    const { subscription } = session
    const shaped = subscription && message.shaped ? message.shaped(subscription) : message
    if (shaped !== undefined) outlet.put(shaped)
  }
}
