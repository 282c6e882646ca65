/** True for a promise. Its rejection is ignored, because an unhandled one would end the process. */
export function isIgnoredPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value)) return false
  Promise.resolve(value).catch(() => undefined)
  return true
}
