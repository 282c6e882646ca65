/**
 * What the contract needs to know about a driver: how its actor says something, and how its peer speaks or sends
 * garbage.
 */
import type { Value } from '@joust/source'
import type { Driver, DriverContext } from '../../../src/drivers/driver.ts'

/** A driver with a peer in memory. */
export interface Rig {
  readonly mode: string
  readonly role: 'server' | 'client'
  /** The event that one exchange causes. */
  readonly event: string
  /** Which side of the exchange the peer speaks on. */
  readonly source: 'request' | 'response'
  /** JSONPath to what the peer says. */
  readonly selector: string
  /** A state with which the actor says something, once per exchange. */
  state(say: string): Value
  /** Connects an actor and a peer. */
  join(): Joined
}

export interface Joined {
  create(context: DriverContext): Driver
  /**
   * The peer speaks. For servers this is one exchange, which resolves once it is answered. For clients it is the peer's
   * answer to the actor's next exchange, and resolves at once.
   */
  speak(text: string): Promise<void>
  /** Everything that the actor has said to the peer, in order. */
  heard(): readonly string[]
  /** Servers: the peer sends something that is not a message. Clients: the next answer is not a message. */
  garbage(): Promise<void>
}

/** The same rig with more keys in each state. */
export function extended(rig: Rig, keys: { readonly [key: string]: Value }): Rig {
  return { ...rig, state: (say) => ({ ...Object(rig.state(say)), ...keys }) }
}
