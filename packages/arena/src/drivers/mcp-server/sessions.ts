/** Who is connected, and what is waiting for them. Phases know nothing of sessions: they belong to the actor. */
import { arenaLimits } from '../../model/limits.ts'
import type { Stage } from '../driver.ts'
import type { Outgoing, Outlet } from './outgoing.ts'

/** One connection of a client, as the protocol counts them. */
export interface Session {
  /** Undefined where the protocol has no sessions: pipes, and clients that keep no session id. */
  readonly id: string | undefined
  /** Streams that are open now, the best one last. */
  readonly outlets: Outlet[]
  /** What could not be delivered yet. */
  readonly waiting: Outgoing[]
  /** Whether the peer is past its handshake: nothing may reach it before. */
  ready: boolean
  /** The version of the protocol that the client asked for, where it has said. */
  version?: string
}

/** The sessions of an actor. */
export interface Sessions {
  /** Where messages without a session id belong. */
  readonly anonymous: Session
  find(id: string): Session | undefined
  /** Begins a session; the first one gets what was waiting for anybody. */
  begin(id: string | undefined): Session
  end(session: Session): void
  /** Notes that a session has spoken: entry requests go to whoever spoke last. */
  heard(session: Session): void
  /** Sends a message to every open session, and to everyone who listens without one. */
  tellAll(make: () => Outgoing): void
  /** Sends a message to the session that spoke last. */
  tellLast(message: Outgoing): void
  /** Whether somebody listens for messages that answer nothing. */
  isHeard(): boolean
  /** Delivers what is waiting, if the peer can take it. */
  deliver(session: Session): void
  /** A stream opened. Returns how to take it away again. */
  attach(session: Session, outlet: Outlet): () => void
}

/** The sessions of one actor. */
export function createSessions(stage: Stage): Sessions {
  const anonymous = createSession(undefined)
  /** In the order in which they last spoke. */
  const open = new Set<Session>()
  const known = new Map<string, Session>()

  const end = (session: Session) => {
    open.delete(session)
    if (session.id !== undefined) known.delete(session.id)
  }
  const enqueue = (session: Session, message: Outgoing) => {
    const { waiting } = session
    const dropped = waiting.push(message) > arenaLimits.mcpWaiting ? waiting.shift() : undefined
    if (dropped !== undefined) stage.report('not-delivered', `${dropped.what}: too many messages wait for the peer`)
    deliver(session)
  }
  return {
    anonymous,
    find: (id) => known.get(id),
    begin(id) {
      const session = createSession(id)
      session.waiting.push(...anonymous.waiting.splice(0))
      open.add(session)
      if (id !== undefined) known.set(id, session)
      const [oldest] = open
      if (open.size > arenaLimits.mcpSessions && oldest !== undefined) end(oldest)
      return session
    },
    end,
    heard(session) {
      if (open.delete(session)) open.add(session)
    },
    tellAll(make) {
      for (const session of open) enqueue(session, make())
      const listeners = listenersOf(anonymous)
      for (const listener of listeners) listener.put(make())
      if (open.size === 0 && listeners.length === 0) enqueue(anonymous, make())
    },
    tellLast: (message) => enqueue([...open].at(-1) ?? anonymous, message),
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

/** The streams that listen, once the handshake is over. */
function listenersOf({ ready, outlets }: Session): readonly Outlet[] {
  return ready ? outlets.filter(({ listening }) => listening) : []
}

function createSession(id: string | undefined): Session {
  return { id, outlets: [], waiting: [], ready: false }
}

function deliver(session: Session): void {
  const outlet = session.ready ? session.outlets.at(-1) : undefined
  if (outlet !== undefined) for (const message of session.waiting.splice(0)) outlet.put(message)
}
