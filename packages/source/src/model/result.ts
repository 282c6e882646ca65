/** The outcome of an operation that can fail on bad input: a value, never a throw. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** A successful result. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

/** A failed result. */
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })

/** Throws when our own reasoning is wrong. Never used for bad input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Joust is broken: ${message}`)
}

/** What was thrown, as text. Several failures at once without words of their own give all of their reasons. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0)
    return thrown.errors.map(messageOf).join('; ')
  const text = thrown instanceof Error ? thrown.message : typeof thrown === 'object' ? '' : String(thrown ?? '')
  return text === '' ? 'it failed without saying why' : text
}
