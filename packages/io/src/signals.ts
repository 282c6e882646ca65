/** Linked abort signals, cancellable work and deferred promises. */
import { setMaxListeners } from 'node:events'

/** A signal that follows other signals until it is closed. */
export interface LinkedSignal {
  readonly signal: AbortSignal
  /** Fires this signal and closes it. */
  abort(reason: unknown): void
  close(): void
}

/**
 * Links signals: the result fires with the first source that fires, and with the reason of that source. Ignores
 * undefined sources.
 */
export function linkSignals(sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  const close = () => {
    for (const stop of stops.splice(0)) stop()
  }
  const abort = (reason: unknown) => {
    close()
    controller.abort(reason)
  }
  for (const source of sources) {
    if (source === undefined) continue
    const fire = () => abort(source.reason)
    if (source.aborted) {
      fire()
      break
    }
    stops.push(onAbort(source, fire))
  }
  return { signal: controller.signal, abort, close }
}

/**
 * Links a signal to a timeout. Node 20 may garbage-collect an `AbortSignal.any` over an `AbortSignal.timeout` that is
 * still in use, so that it never fires. Closing the result clears the timer.
 */
export function withTimeout(source: AbortSignal, milliseconds: number): LinkedSignal {
  const linked = linkSignals([source])
  const timer = setTimeout(() => linked.abort(new DOMException('timeout', 'TimeoutError')), milliseconds)
  const close = () => {
    clearTimeout(timer)
    linked.close()
  }
  return { ...linked, close }
}

/** Starts work and waits for it. Rejects when the signal fires, and ignores a later result. */
export function abortable<T>(signal: AbortSignal, start: () => PromiseLike<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = onAbort(signal, () => reject(signal.reason))
    // `async` turns a synchronous throw into a rejection.
    const work = (async () => start())()
    work.then(resolve, reject).finally(stop)
  })
}

/** Returns a promise with its `resolve` function. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Calls the function once the signal fires, unless it already has. Returns a function that removes the listener. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  unlimited(signal).addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

const exitCallbacks = new Set<() => void>()
const runExitCallbacks = () => {
  for (const callback of exitCallbacks) callback()
}

/**
 * Calls the function when this process exits. Returns a function that removes the callback. All callbacks share one
 * listener, because Node warns about many.
 */
export function atExit(callback: () => void): () => void {
  if (exitCallbacks.size === 0) process.on('exit', runExitCallbacks)
  exitCallbacks.add(callback)
  return () => {
    if (exitCallbacks.delete(callback) && exitCallbacks.size === 0) process.off('exit', runExitCallbacks)
  }
}

/** Disables Node's warning about many listeners, because all parts of a run listen to its signal. */
export function unlimited(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal)
  return signal
}
