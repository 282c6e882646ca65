/** The result of an operation that can fail on bad input, without an exception. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** Creates a successful result. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

/** Creates a failed result. */
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })

/** Asserts a condition that only a bug can violate. Never used for bad input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`internal error, please report it: ${message}`)
}

/** Returns the message of a thrown value, or all messages in an `AggregateError` that has no message itself. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '' && thrown.errors.length > 0)
    return thrown.errors.map(messageOf).join('; ')
  const text = isError(thrown) ? thrown.message : typeof thrown === 'object' ? '' : String(thrown ?? '')
  return text === '' ? 'unknown error' : text
}

/** Returns the code of a thrown error, for example `ENOENT`, if it has one. */
export function errorCode(thrown: unknown): string | undefined {
  return isError(thrown) && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
}

/**
 * True for errors, including those from another realm: in Jest, Node.js errors are not instances of the global `Error`.
 */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]'
}
