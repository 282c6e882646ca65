import { defaultLimits, exceeded, type Limits } from '../model/limits.ts'

/**
 * Why a value in memory cannot be walked through as a tree; undefined when it can. What was read from a text always can: only
 * a program can make one that contains itself, is thousands deep, or shares its parts so often that they never end.
 */
export function treeFault(value: unknown, limits: Limits = defaultLimits): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const above: object[] = []
  const within = new Set<object>()
  const pending: object[] = [value]
  const depths = [0]
  let nodes = 0
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    const depth = depths.pop() ?? 0
    // Back from the branch that was followed before.
    while (above.length > depth) {
      const left = above.pop()
      if (left !== undefined) within.delete(left)
    }
    if (within.has(here)) return 'the value contains itself'
    nodes += 1
    if (nodes > limits.valueNodes) return `the value is ${exceeded(limits, 'valueNodes').message}`
    if (depth >= limits.valueDepth) return `the value is ${exceeded(limits, 'valueDepth').message}`
    above.push(here)
    within.add(here)
    for (const item of Object.values(here)) {
      if (typeof item !== 'object' || item === null) continue
      pending.push(item)
      depths.push(depth + 1)
    }
  }
  return undefined
}

/** A value that a program has made and that is not a tree. */
export class NotATree extends Error {
  override readonly name = 'NotATree'
  /** As in the diagnostic of functions that answer with one. */
  readonly code = 'limit'
}

/** Throws `NotATree`, for functions whose answer has no place for an error. */
export function requireTree(value: unknown, limits: Limits = defaultLimits): void {
  const fault = treeFault(value, limits)
  if (fault !== undefined) throw new NotATree(fault)
}
