/** What the contract needs to know of a driver: how its actor says something, and how a peer is told apart from garbage. */
import type { Value } from '@joust/source'
import type { Driver, DriverContext } from '../../../src/drivers/driver.ts'

/** A driver with a peer in memory. */
export interface Rig {
  readonly mode: string
  readonly role: 'server' | 'client'
  /** The event that one exchange gives. */
  readonly event: string
  /** Which side of the exchange the peer speaks on. */
  readonly source: 'request' | 'response'
  /** JSONPath to what the peer says. */
  readonly selector: string
  /** A state with which the actor says something, once per exchange. */
  state(say: string): Value
  /** Joins an actor and a peer. */
  join(): Joined
}

export interface Joined {
  create(context: DriverContext): Driver
  /**
   * The peer speaks. Servers: one exchange, resolves when it is answered. Clients: what the peer answers to the next
   * exchange of the actor; resolves at once.
   */
  speak(text: string): Promise<void>
  /** Everything that the actor has said to the peer, in order. */
  heard(): readonly string[]
  /** Servers: the peer sends what is not a message. Clients: the next answer is not a message. */
  garbage(): Promise<void>
}
