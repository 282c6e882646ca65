/** Signals that can be let go of, and waiting that ends when a signal fires. */
import { setMaxListeners } from 'node:events'

/** A signal that follows others until it is closed; long-lived sources then hold nothing of it. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  close(): void
}

/** A signal that fires with the reason of the first of its sources that fires. */
export function linkSignals(sources: readonly AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  const close = () => {
    for (const stop of stops.splice(0)) stop()
  }
  for (const source of sources) {
    if (source.aborted) {
      close()
      controller.abort(source.reason)
      break
    }
    const fire = () => {
      close()
      controller.abort(source.reason)
    }
    stops.push(onAbort(source, fire))
  }
  return { signal: controller.signal, close }
}

/** Starts foreign work and waits for it, but no longer than until the signal fires. What it does afterwards is dropped. */
export function abortable<T>(signal: AbortSignal, start: () => PromiseLike<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const stop = onAbort(signal, () => reject(signal.reason))
    // `async` so that a throw before the first await is a rejection like any other.
    const work = (async () => start())()
    work.then(resolve, reject).finally(stop)
  })
}

// One listener per signal, however many follow it: the platform warns of a leak from the eleventh on.
const followers = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when a signal fires, and never if it has fired already; returns how to stop. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = followers.get(signal)
  if (known !== undefined) {
    known.add(callback)
    return () => unfollow(signal, callback)
  }
  followers.set(signal, new Set([callback]))
  signal.addEventListener('abort', fireFollowers)
  return () => unfollow(signal, callback)
}

function unfollow(signal: AbortSignal, callback: () => void): void {
  const known = followers.get(signal)
  if (known?.delete(callback) !== true || known.size > 0) return
  followers.delete(signal)
  signal.removeEventListener('abort', fireFollowers)
}

function fireFollowers(this: AbortSignal): void {
  const known = followers.get(this)
  followers.delete(this)
  this.removeEventListener('abort', fireFollowers)
  for (const callback of known ?? []) callback()
}

/** Makes the platform not take many listeners for a leak: everything of a run ends with its signal. */
export function unlimited(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
