import { isRecord, own, type ValueRecord } from '@joust/source'
import type { Shape } from '../bindings/shape.ts'
import { followShape } from '../bindings/shape-paths.ts'
import type { CelStep } from '../model/evaluators.ts'
import { isMatchCondition } from '../model/operators.ts'
import { isSimplePath } from '../primitives/dot-path.ts'

/** Returns the predicate paths that none of the shapes has, so that the predicate never holds. */
export function deadPredicatePaths(predicate: ValueRecord, shapes: readonly Shape[]): readonly string[] {
  return Object.entries(predicate).flatMap(([path, condition]) => {
    const wantsNothing = isRecord(condition) && isMatchCondition(condition) && own(condition, 'exists') === false
    return wantsNothing || !isSimplePath(path) || pathExists(path, shapes) ? [] : [path]
  })
}

export function pathExists(path: string, shapes: readonly Shape[]): boolean {
  const steps: CelStep[] = path === '' ? [] : path.split('.').map((field) => ({ field }))
  return shapes.some((shape) => followShape(shape, steps, 'lists').length > 0)
}
