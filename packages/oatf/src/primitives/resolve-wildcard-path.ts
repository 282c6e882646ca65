import { isList, isRecord, own, type Path, type Value, withLimits } from '@joust/source'
import type { PrimitiveOptions } from '../model/evaluators.ts'
import { depthFault, isWildcardPath } from './dot-path.ts'

/** A value that a wildcard path reached; the way to it is read off with `wayTo`. */
interface Resolved {
  readonly value: Value
  readonly from: Resolved | undefined
  readonly key: string | number
}

/** One step of a wildcard path: a field, or every element of the array at hand. */
type WildcardStep = { readonly field: string } | 'each'

/** All values at a wildcard dot-path (SDK §5.1.2), in document order. */
export function resolveWildcardPath(path: string, value: Value, options: PrimitiveOptions = {}): Value[] {
  const fault = depthFault(path, withLimits(options.limits))
  if (fault !== undefined) {
    options.onError?.(fault)
    return []
  }
  return resolveSteps(wildcardSteps(path), value).map((resolved) => resolved.value)
}

/** The steps of a path; undefined when the text is not a wildcard path. */
export function wildcardSteps(path: string): readonly WildcardStep[] | undefined {
  if (path === '') return []
  if (!isWildcardPath(path)) return undefined
  return path
    .split('.')
    .flatMap((segment): WildcardStep[] =>
      segment.endsWith('[*]') ? [{ field: segment.slice(0, -3) }, 'each'] : [{ field: segment }],
    )
}

/** Follows steps from a value. */
export function resolveSteps(steps: readonly WildcardStep[] | undefined, value: Value): Resolved[] {
  if (steps === undefined) return []
  let reached: Resolved[] = [{ value, from: undefined, key: '' }]
  for (const step of steps) {
    const next: Resolved[] = []
    for (const from of reached) {
      if (step !== 'each') {
        const found = isRecord(from.value) ? own(from.value, step.field) : undefined
        if (found !== undefined) next.push({ value: found, from, key: step.field })
      } else if (isList(from.value)) {
        for (let index = 0; index < from.value.length; index++) {
          next.push({ value: from.value[index] as Value, from, key: index })
        }
      }
    }
    if (next.length === 0) return next
    reached = next
  }
  return reached
}

/** The path from the root to a resolved value, with indices. */
export function wayTo(resolved: Resolved): Path {
  const way: (string | number)[] = []
  for (let at: Resolved | undefined = resolved; at?.from !== undefined; at = at.from) way.push(at.key)
  return way.reverse()
}
