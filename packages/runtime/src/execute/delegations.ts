/** The delegations of one execution: none of them outlives the policy that started it. */
import { cancelled } from '../model/errors.ts'

/** The delegations of one execution of an agent. */
export class Delegations {
  readonly #ending = new AbortController()
  readonly #open = new Set<Promise<unknown>>()

  /** Fires when the policy has ended. Its reason is a `RunFailure`. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Keeps track of one. A policy may start it and never look: its failure then is nobody's. */
  track<T>(delegation: Promise<T>): Promise<T> {
    const forget = () => void this.#open.delete(delegation)
    this.#open.add(delegation)
    delegation.then(forget, forget)
    return delegation
  }

  /** Cancels what still runs and waits until it has stopped; nothing can be started any more. */
  async end(agent: readonly string[]): Promise<void> {
    this.#ending.abort(cancelled(agent, new Error('the policy has ended')))
    await Promise.allSettled(this.#open)
  }
}
