import type { CelStep } from '../model/evaluators.ts'
import type { Shape } from './shape.ts'

/** Greater than the depth of any shape. All shapes are finite. */
const DEEPEST = 12

/** The collections that an `each` step iterates over: only lists for `[*]` in a target, but also objects in CEL. */
type Entry = 'lists' | 'anything'

/** Returns the shapes at the end of a path; empty if no message has this path. */
export function followShape(shape: Shape, steps: readonly CelStep[], entry: Entry): readonly Shape[] {
  let reached: readonly Shape[] = alternatives(shape)
  for (const step of steps) {
    reached = reached.flatMap((at) => enter(at, step, entry)).flatMap(alternatives)
    if (reached.length === 0) return reached
  }
  return reached
}

/** Returns all paths in a shape in target notation, shallow paths first. */
export function pathsOf(shape: Shape): readonly string[] {
  const paths = new Set<string>()
  let level: readonly Part[] = [{ of: shape, path: '' }]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level.flatMap(({ of, path }) => alternatives(of).flatMap((one) => partsOf(one, path)))
    for (const { path } of level) if (!path.endsWith('[*]')) paths.add(path)
  }
  return [...paths]
}

interface Part {
  readonly of: Shape
  readonly path: string
}

function partsOf(shape: Shape, path: string): readonly Part[] {
  if (shape.kind === 'list') return [{ of: shape.of, path: `${path}[*]` }]
  if (shape.kind !== 'fields') return []
  const fields = Object.entries({ ...shape.required, ...shape.optional })
  return fields.map(([name, of]) => ({ of, path: path === '' ? name : `${path}.${name}` }))
}

export function alternatives(shape: Shape): readonly Shape[] {
  return shape.kind === 'choice' ? shape.of.flatMap(alternatives) : [shape]
}

function enter(shape: Shape, step: CelStep, entry: Entry): readonly Shape[] {
  if (shape.kind === 'open') return [shape]
  if (step === 'each') {
    if (shape.kind === 'list') return [shape.of]
    return entry === 'anything' && shape.kind === 'fields' ? [{ kind: 'open' }] : []
  }
  if (shape.kind !== 'fields') return []
  for (const table of [shape.required, shape.optional]) {
    const field = Object.hasOwn(table, step.field) ? table[step.field] : undefined
    if (field !== undefined) return [field]
  }
  return []
}
