/** Ctrl-C and the like: most commands end at once, some have something to close first. */
import { exitCodes } from './exit-codes.ts'

/** Why work was told to stop. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/** Does work that can be told to stop before the process ends. */
export type Stoppable = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Catches the signals of this process. A second one ends it whatever it is doing. */
export function catchSignals(): Stoppable {
  const working = new Set<AbortController>()
  const stop = (exitCode: number) => () => {
    const going = [...working].filter(({ signal }) => !signal.aborted)
    if (going.length === 0) process.exit(exitCode)
    for (const controller of going) controller.abort(new Interrupted(exitCode))
  }
  process.on('SIGINT', stop(exitCodes.interrupted))
  process.on('SIGTERM', stop(exitCodes.terminated))
  return async (work) => {
    const controller = new AbortController()
    working.add(controller)
    try {
      return await work(controller.signal)
    } finally {
      working.delete(controller)
    }
  }
}

/** The exit code of a signal that has fired. */
export function exitCodeOf({ reason }: AbortSignal): number {
  return reason instanceof Interrupted ? reason.exitCode : exitCodes.interrupted
}
