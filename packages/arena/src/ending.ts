/** When a run ends. */
import type { RunningActor } from './actor.ts'
import type { Clock } from './clock.ts'
import type { EndReason } from './options.ts'

/** What can end a run. */
export interface EndingOptions {
  readonly actors: readonly RunningActor[]
  /** What the target does by itself; undefined when it only answers, or is not there. */
  readonly turn: Promise<void> | undefined
  readonly clock: Clock
  readonly limitMs: number
  /** Stops the run from outside. */
  readonly signal: AbortSignal
  /** Fires when too much was recorded. */
  readonly flooded: AbortSignal
}

/**
 * Resolves when the run is over: every client is done and the target has had its turn. Where there is neither, when every
 * server has gone through its phases or reached its time limit. In any case at the limit of the run.
 */
export function awaitEnding(options: EndingOptions): Promise<EndReason> {
  const { actors, turn, clock, limitMs, signal, flooded } = options
  const clients = actors.filter((actor) => actor.role === 'client')
  const awaited = clients.length > 0 || turn !== undefined ? clients : actors
  return new Promise((resolve) => {
    const end = (reason: EndReason) => {
      cancel()
      signal.removeEventListener('abort', interrupt)
      flooded.removeEventListener('abort', flood)
      resolve(reason)
    }
    const interrupt = () => end('interrupted')
    const flood = () => end('flooded')
    const cancel = clock.setTimer(limitMs, () => end('expired'))
    signal.addEventListener('abort', interrupt)
    flooded.addEventListener('abort', flood)
    if (signal.aborted) interrupt()
    else if (flooded.aborted) flood()
    else Promise.all([...awaited.map((actor) => actor.finished), turn]).then(() => end('done'))
  })
}
