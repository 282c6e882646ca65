/** Paths through what a message can hold. */

import type { CelStep } from '../model/evaluators.ts'
import type { Shape } from './shape.ts'

/** Deeper than any shape: all of them are finite, and this only says so. */
const DEEPEST = 12

/** How lists are entered: targets have `[*]` for it, CEL also runs over the keys of an object. */
type Entry = 'lists' | 'anything'

/** What a shape holds at the end of some steps; empty when no message can have that. */
export function followShape(shape: Shape, steps: readonly CelStep[], entry: Entry): readonly Shape[] {
  let reached: readonly Shape[] = alternatives(shape)
  for (const step of steps) {
    reached = reached.flatMap((at) => enter(at, step, entry)).flatMap(alternatives)
    if (reached.length === 0) return reached
  }
  return reached
}

/** Every path through a shape as a target would write it, shallow ones first. */
export function pathsOf(shape: Shape): readonly string[] {
  const found = new Set<string>()
  let level: readonly Part[] = [{ of: shape, path: '' }]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level.flatMap(({ of, path }) => alternatives(of).flatMap((one) => partsOf(one, path)))
    for (const { path } of level) if (!path.endsWith('[*]')) found.add(path)
  }
  return [...found]
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

/** The shapes that a shape may turn out to be. */
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
    const found = Object.hasOwn(table, step.field) ? table[step.field] : undefined
    if (found !== undefined) return [found]
  }
  return []
}
