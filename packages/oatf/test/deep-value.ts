import type { Value } from '@joust/source'

/**
 * A list in a list in a list …, `depth` levels, with `core` inside. Built in a loop, because a parser would give up.
 */
export function deepList(depth: number, core: Value = 'core'): Value {
  let value = core
  for (let level = 0; level < depth; level++) value = [value]
  return value
}

/** The same with single-key objects. */
export function deepRecord(depth: number, core: Value = 'core', key = 'a'): Value {
  let value = core
  for (let level = 0; level < depth; level++) value = { [key]: value }
  return value
}

/** Freezes a value and everything in it, so that a write anywhere throws. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    pending.push(...Object.values(next).filter((child) => child !== undefined))
  }
  return value
}
