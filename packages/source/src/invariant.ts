/** Throws when our own reasoning is wrong. Never used for bad input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Joust is broken: ${message}`)
}
