/** When a run ends. */

import type { EndReason } from '../model/options.ts'
import type { RunningActor } from './actor.ts'
import type { RunContext } from './context.ts'

/** Everything that may end a run before it is done: the caller, a flood, the time limit. */
export interface EndingWatch {
  /** Waits for work, but no longer than until something ends the run. */
  until(work: Promise<EndReason>): Promise<EndReason>
  /** Whether something has ended the run. */
  over(): boolean
  /** The grace period does not count against the limit of the run. */
  readonly extend: (milliseconds: number) => void
  /** Lets go of signals and timers. */
  end(): void
}

/** Begins to watch a run. */
export function watchEnding({ clock, limits, options, flooded, startedAt }: RunContext): EndingWatch {
  let reason: EndReason | undefined
  let tell = (_: EndReason) => {}
  const ended = new Promise<EndReason>((resolve) => {
    tell = resolve
  })
  const end = (why: EndReason) => {
    reason ??= why
    tell(why)
  }
  const interrupt = () => end('interrupted')
  const flood = () => end('flooded')
  const expire = () => end('expired')
  let cancel = clock.setTimer(limits.runMs, expire)
  const { signal } = options
  signal?.addEventListener('abort', interrupt)
  flooded.signal.addEventListener('abort', flood)
  if (signal?.aborted === true) interrupt()
  return {
    until: (work) => Promise.race([work, ended]),
    over: () => reason !== undefined,
    extend(milliseconds) {
      cancel()
      cancel = clock.setTimer(startedAt + limits.runMs + milliseconds - clock.now(), expire)
    },
    end() {
      cancel()
      signal?.removeEventListener('abort', interrupt)
      flooded.signal.removeEventListener('abort', flood)
    },
  }
}

/**
 * Resolves when every client is done and the target has had its turn. Where there is neither, when every server has gone
 * through its phases or reached its time limit.
 */
export async function allDone(actors: readonly RunningActor[], turn: Promise<void> | undefined): Promise<void> {
  const clients = actors.filter((actor) => actor.role === 'client')
  const awaited = clients.length > 0 || turn !== undefined ? clients : actors
  await Promise.all([...awaited.map((actor) => actor.finished), turn])
}
