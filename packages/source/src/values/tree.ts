import { exceeded, type Limits, withLimits } from '../model/limits.ts'
import { err, ok, type Result } from '../model/result.ts'

/**
 * Checks that a value in memory is a tree within the limits. Otherwise returns a message. Parsed text is always a tree;
 * only a program can create circular references, thousands of levels, or exponentially many shared nodes.
 *
 * @example
 * const list: unknown[] = []
 * list.push(list)
 * const checked = checkTree(list)
 * console.log(checked.ok ? 'a tree' : checked.error) // the value has a circular reference
 */
export function checkTree(value: unknown, changes?: Partial<Limits>): Result<void, string> {
  const limits = withLimits(changes)
  if (typeof value !== 'object' || value === null) return ok(undefined)
  const above: Part[] = []
  const within = new Set<object>()
  const walked = new Map<object, Part>()
  const pending: object[] = [value]
  const depths = [0]
  let nodes = 0
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    const depth = depths.pop() ?? 0
    // Leave the completed branches.
    while (above.length > depth) leave(above.pop())
    if (within.has(here)) return err('the value has a circular reference')
    const cached = walked.get(here)
    // A completed branch cannot contain a current ancestor, because such a cycle would have been found earlier.
    if (cached && nodes + cached.nodes <= limits.valueNodes && depth + cached.height <= limits.valueDepth) {
      nodes += cached.nodes
      raise(above.at(-1), cached)
      continue
    }
    nodes += 1
    if (nodes > limits.valueNodes) return err(`the value is ${exceeded(limits, 'valueNodes').message}`)
    if (depth >= limits.valueDepth) return err(`the value is ${exceeded(limits, 'valueDepth').message}`)
    above.push({ value: here, nodes: 1 - nodes, height: 1 })
    within.add(here)
    for (const item of Object.values(here)) {
      if (typeof item !== 'object' || item === null) continue
      pending.push(item)
      depths.push(depth + 1)
    }
  }
  return ok(undefined)

  function leave(part: Part | undefined): void {
    if (part === undefined) return
    part.nodes += nodes
    within.delete(part.value)
    if (part.nodes >= WORTH_REMEMBERING) walked.set(part.value, part)
    raise(above.at(-1), part)
  }
}

/** Minimum size of a cached branch. Walking a smaller one is as fast as looking it up. */
const WORTH_REMEMBERING = 8

/** A branch of a value. Until the branch is complete, `nodes` is an offset to add to the total. */
interface Part {
  readonly value: object
  nodes: number
  height: number
}

function raise(parent: Part | undefined, { height }: Part): void {
  if (parent !== undefined && parent.height <= height) parent.height = height + 1
}

/** Thrown for a value in memory that is not a tree within the limits. */
export class NotATree extends Error {
  override readonly name = 'NotATree'
  /** The code of the corresponding diagnostic. */
  readonly code = 'limit'
}

/** Throws `NotATree` for a bad value, for functions that cannot return an error. */
export function requireTree(value: unknown, limits?: Partial<Limits>): void {
  const checked = checkTree(value, limits)
  if (!checked.ok) throw new NotATree(checked.error)
}
