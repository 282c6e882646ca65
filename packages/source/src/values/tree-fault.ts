import { defaultLimits, exceeded, type Limits } from '../model/limits.ts'

/**
 * Why a value in memory cannot be walked as a tree; undefined when it can. What was read from a text always can: only a
 * program can make one that contains itself, is thousands deep, or shares its parts so often that they never end.
 */
export function treeFault(value: unknown, limits: Limits = defaultLimits): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const above: Part[] = []
  const within = new Set<object>()
  const walked = new Map<object, Part>()
  const pending: object[] = [value]
  const depths = [0]
  let nodes = 0
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    const depth = depths.pop() ?? 0
    // Back from the branch that was followed before.
    while (above.length > depth) leave(above.pop())
    if (within.has(here)) return 'the value contains itself'
    const known = walked.get(here)
    // What was walked to its end contains none of what is around it now: it would have been found to contain itself.
    if (known && nodes + known.nodes <= limits.valueNodes && depth + known.height <= limits.valueDepth) {
      nodes += known.nodes
      raise(above.at(-1), known)
      continue
    }
    nodes += 1
    if (nodes > limits.valueNodes) return `the value is ${exceeded(limits, 'valueNodes').message}`
    if (depth >= limits.valueDepth) return `the value is ${exceeded(limits, 'valueDepth').message}`
    above.push({ value: here, nodes: 1 - nodes, height: 1 })
    within.add(here)
    for (const item of Object.values(here)) {
      if (typeof item !== 'object' || item === null) continue
      pending.push(item)
      depths.push(depth + 1)
    }
  }
  return undefined

  function leave(part: Part | undefined): void {
    if (part === undefined) return
    part.nodes += nodes
    within.delete(part.value)
    if (part.nodes >= WORTH_REMEMBERING) walked.set(part.value, part)
    raise(above.at(-1), part)
  }
}

/** Walking a smaller part is as fast as looking it up. */
const WORTH_REMEMBERING = 8

/** A part of a value. Until it has been walked, `nodes` is an offset, to which the nodes walked by then are added. */
interface Part {
  readonly value: object
  nodes: number
  /** How many levels it has. */
  height: number
}

function raise(parent: Part | undefined, { height }: Part): void {
  if (parent !== undefined && parent.height <= height) parent.height = height + 1
}

/** A value that a program has made and that is not a tree. */
export class NotATree extends Error {
  override readonly name = 'NotATree'
  /** The code that functions with diagnostics report for the same fault. */
  readonly code = 'limit'
}

/** Throws `NotATree`, for functions whose return type has no place for an error. */
export function requireTree(value: unknown, limits: Limits = defaultLimits): void {
  const fault = treeFault(value, limits)
  if (fault !== undefined) throw new NotATree(fault)
}
