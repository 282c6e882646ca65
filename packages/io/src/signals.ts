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

/** Starts foreign work and waits for it, but no longer than until the signal fires. What it does afterwards is dropped. */
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

// One listener per signal, however many follow it: the platform warns of a leak from the eleventh on.
const followers = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when a signal fires, and never if it has fired already; returns how to stop. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = followers.get(signal) ?? new Set()
  if (known.size === 0) signal.addEventListener('abort', fireFollowers)
  followers.set(signal, known.add(callback))
  return () => {
    if (known.delete(callback) && known.size === 0) forget(signal)
  }
}

function fireFollowers(this: AbortSignal): void {
  const known = followers.get(this) ?? []
  forget(this)
  for (const callback of known) callback()
}

function forget(signal: AbortSignal): void {
  followers.delete(signal)
  signal.removeEventListener('abort', fireFollowers)
}

const leaving = new Set<() => void>()
const leave = () => {
  for (const callback of leaving) callback()
}

/** Calls back when this process exits; returns how to stop. As above, one listener for all. */
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
