/** Signals that can be let go of, and waiting that ends when a signal fires. */
import { RunFailure } from './model/errors.ts'

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
    stops.push(follow(source, fire))
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
    const stop = follow(signal, () => reject(signal.reason))
    // `async` so that a throw before the first await is a rejection like any other.
    const work = (async () => start())()
    work.then(resolve, reject).finally(stop)
  })
}

// One listener per signal, however many follow it: the platform warns of a leak from the eleventh on.
const followers = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back when a signal fires; returns how to stop. */
function follow(signal: AbortSignal, callback: () => void): () => void {
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

/** The failure that a fired signal stands for. */
export function failureOf(signal: AbortSignal, agent: readonly string[]): RunFailure {
  return signal.reason instanceof RunFailure ? signal.reason : cancelled(agent, signal.reason)
}

/** Throws the failure of a signal that has fired. */
export function throwIfAborted(signal: AbortSignal, agent: readonly string[]): void {
  if (signal.aborted) throw failureOf(signal, agent)
}

/** The failure of what was cancelled from outside. */
export function cancelled(agent: readonly string[], reason?: unknown): RunFailure {
  const cause = reason instanceof Error ? { cause: { message: reason.message } } : {}
  return new RunFailure({ code: 'cancelled', message: 'the run was cancelled', agent, ...cause })
}
