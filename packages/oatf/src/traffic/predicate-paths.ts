import { isRecord, own, type ValueRecord } from '@joust/source'
import type { Shape } from '../bindings/shape.ts'
import { followShape } from '../bindings/shape-paths.ts'
import type { CelStep } from '../model/evaluators.ts'
import { isMatchCondition } from '../model/operators.ts'
import { isSimplePath } from '../primitives/dot-path.ts'

/** The paths of a predicate that none of these shapes has, so that it never holds. */
export function deadPredicatePaths(predicate: ValueRecord, shapes: readonly Shape[]): readonly string[] {
  return Object.entries(predicate).flatMap(([path, condition]) => {
    const wantsNothing = isRecord(condition) && isMatchCondition(condition) && own(condition, 'exists') === false
    return wantsNothing || !isSimplePath(path) || pathExists(path, shapes) ? [] : [path]
  })
}

/** True if a simple dot-path exists in one of these shapes. */
export function pathExists(path: string, shapes: readonly Shape[]): boolean {
  const steps: CelStep[] = path === '' ? [] : path.split('.').map((field) => ({ field }))
  return shapes.some((shape) => followShape(shape, steps, 'lists').length > 0)
}
