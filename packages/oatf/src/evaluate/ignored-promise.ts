/** Promises of callers' code in a synchronous function. */

/** True for a promise. It is not awaited, and its rejection is ignored: unhandled, it would end the process. */
export function isIgnoredPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  Promise.resolve(value).catch(() => undefined)
  return true
}
