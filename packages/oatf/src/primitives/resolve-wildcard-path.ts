import { isList, own, type Path, type Value, withLimits } from '@joust/source'
import type { CelStep, PrimitiveOptions } from '../model/evaluators.ts'
import { depthFault, isWildcardPath } from './dot-path.ts'

/** A value at a wildcard path. `pathTo` returns the path of the value. */
interface Resolved {
  readonly value: Value
  readonly from: Resolved | undefined
  readonly key: string | number
}

/**
 * Returns all values at a wildcard dot-path ([OATF SDK §5.1.2](https://oatf.io/sdk/execution-primitives/)), in document
 * order.
 *
 * @example
 * const names = resolveWildcardPath('tools[*].name', { tools: [{ name: 'a' }, { name: 'b' }] })
 */
export function resolveWildcardPath(path: string, value: Value, options: PrimitiveOptions = {}): Value[] {
  const fault = depthFault(path, withLimits(options.limits))
  if (fault !== undefined) {
    options.onError?.(fault)
    return []
  }
  return resolveSteps(wildcardSteps(path), value).map((resolved) => resolved.value)
}

/** Returns the steps of a wildcard path; undefined if the path is invalid. */
export function wildcardSteps(path: string): readonly CelStep[] | undefined {
  if (path === '') return []
  if (!isWildcardPath(path)) return undefined
  return path
    .split('.')
    .flatMap((segment): CelStep[] =>
      segment.endsWith('[*]') ? [{ field: segment.slice(0, -3) }, 'each'] : [{ field: segment }],
    )
}

export function resolveSteps(steps: readonly CelStep[] | undefined, value: Value): Resolved[] {
  if (steps === undefined) return []
  let reached: Resolved[] = [{ value, from: undefined, key: '' }]
  for (const step of steps) {
    const next: Resolved[] = []
    for (const from of reached) collectBelow(from, step, next)
    if (next.length === 0) return next
    reached = next
  }
  return reached
}

function collectBelow(from: Resolved, step: CelStep, into: Resolved[]): void {
  const { value } = from
  if (step !== 'each') {
    const child = own(value, step.field)
    if (child !== undefined) into.push({ value: child, from, key: step.field })
  } else if (isList(value)) {
    for (const [key, item] of value.entries()) into.push({ value: item, from, key })
  }
}

/** Returns the path from the root to a resolved value, with indices. */
export function pathTo(resolved: Resolved): Path {
  const way: (string | number)[] = []
  for (let at: Resolved | undefined = resolved; at?.from !== undefined; at = at.from) way.push(at.key)
  return way.reverse()
}
