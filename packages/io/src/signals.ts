/** Signals that can be released, waiting that ends when a signal fires, and promises that are settled from outside. */
import { setMaxListeners } from 'node:events'

/** A signal that follows others until it is closed; long-lived sources then hold nothing of it. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  close(): void
}

/** A signal that fires with the reason of the first of its sources that fires; those that are absent never do. */
export function linkSignals(sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  const close = () => {
    for (const stop of stops.splice(0)) stop()
  }
  for (const source of sources) {
    if (source === undefined) continue
    const fire = () => {
      close()
      controller.abort(source.reason)
    }
    if (source.aborted) {
      fire()
      break
    }
    stops.push(onAbort(source, fire))
  }
  return { signal: controller.signal, close }
}

/** Starts foreign work and waits for it, but only until the signal fires. What it does afterwards is dropped. */
export function abortable<T>(signal: AbortSignal, start: () => PromiseLike<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = onAbort(signal, () => reject(signal.reason))
    // `async` so that a throw before the first await is a rejection like any other.
    const work = (async () => start())()
    work.then(resolve, reject).finally(stop)
  })
}

/** A promise that waits for its `resolve`. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Calls back when a signal fires, and never if it has fired already; returns how to stop. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  unlimited(signal).addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

const leaving = new Set<() => void>()
const leave = () => {
  for (const callback of leaving) callback()
}

/** Calls back when this process exits; returns how to stop. One listener for all, since the platform warns of many. */
export function atExit(callback: () => void): () => void {
  if (leaving.size === 0) process.on('exit', leave)
  leaving.add(callback)
  return () => {
    if (leaving.delete(callback) && leaving.size === 0) process.off('exit', leave)
  }
}

/** Keeps the platform from taking many listeners for a leak: everything in a run ends with its signal. */
export function unlimited(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
