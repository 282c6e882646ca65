import { isRecord, own, ownText, type Path, type Value, type ValueRecord } from '@joust/source'
import { messageShapes } from '../bindings/message-shapes.ts'
import type { MessageShapes } from '../bindings/shape.ts'
import { followShape } from '../bindings/shape-paths.ts'
import { findBinding } from '../bindings/table.ts'
import { directions } from '../model/enumerations.ts'
import { wildcardSteps } from '../primitives/resolve-wildcard-path.ts'
import type { IndicatorSite } from '../walk/walk.ts'
import type { Edit } from './edits.ts'
import { oldSurface } from './old-surface-names.ts'
import type { Occurrence } from './translation.ts'

interface TargetPlace {
  readonly path: Path
  readonly text: string
}

/** The reading of a target, with a surface if the target exists only on that surface. */
export interface Reading {
  readonly target: string
  readonly surface?: string
}

/** Reinterprets the targets of an indicator, if that is possible for all of them. */
export function retarget(
  indicator: IndicatorSite,
  read: (text: string) => Reading | undefined,
  describe: (text: string, reading: Reading) => string,
): Occurrence[] {
  if (isOnForeignSurface(indicator)) return []
  const effective = decidingTargets(indicator).map((target) => ({ ...target, reading: read(target.text) }))
  const [first] = effective
  if (first?.reading === undefined) return []
  const { reading } = first
  if (effective.some((target) => target.reading === undefined || target.reading.surface !== reading.surface)) return []
  // Targets that have no effect are changed in the same way.
  const others = targetsOf(indicator).filter(({ path }) => !effective.some((target) => target.path === path))
  const edits = [...effective, ...others].flatMap(({ path, text }): Edit[] => {
    const target = read(text)?.target
    return target === undefined ? [] : [{ op: 'set', path, value: target }]
  })
  const all = [...edits, ...surfaceEdits(indicator, reading.surface)]
  return [{ at: first.path, message: describe(first.text, reading), edits: all }]
}

/** True for a surface that is neither an operation nor an old name, so that the messages on it are unknown. */
function isOnForeignSurface({ value, protocol = '' }: IndicatorSite): boolean {
  const surface = ownText(value, 'surface')
  const isKnown = surface === undefined || findBinding(protocol)?.surfaces.includes(surface)
  return !isKnown && oldSurface(protocol, surface) === undefined
}

function surfaceEdits({ path, value }: IndicatorSite, surface: string | undefined): Edit[] {
  if (surface === undefined || own(value, 'surface') === surface) return []
  return [{ op: 'set', path: [...path, 'surface'], value: surface, before: 'target', from: [...path, 'target'] }]
}

/** Returns the surfaces whose messages have the target, in the indicator's direction if the indicator has one. */
export function surfacesWith(
  target: string,
  { value, protocol = '' }: Pick<IndicatorSite, 'value' | 'protocol'>,
): readonly string[] {
  const steps = wildcardSteps(target)
  if (steps === undefined) return []
  const direction = ownText(value, 'direction')
  const allowed = directions.filter((one) => direction === undefined || one === direction)
  const holds = (row: MessageShapes) =>
    allowed.some((one) => row[one] !== undefined && followShape(row[one], steps, 'lists').length > 0)
  return messageShapes(protocol)
    .filter(holds)
    .map(({ surface }) => surface)
}

/** True if the target exists on the indicator's surface. If that is missing or unknown, any surface counts. */
export function isThere(target: string, indicator: IndicatorSite): boolean {
  const surfaces = surfacesWith(target, indicator)
  const surface = ownText(indicator.value, 'surface')
  const isKnown = surface !== undefined && findBinding(indicator.protocol ?? '')?.surfaces.includes(surface)
  return isKnown ? surfaces.includes(surface) : surfaces.length > 0
}

/**
 * Returns the targets in effect: the variables of an expression, the target of the pattern or semantic block, or else
 * the indicator's own target.
 */
export function decidingTargets(indicator: IndicatorSite): readonly TargetPlace[] {
  const { path, value } = indicator
  const expression = own(value, 'expression')
  if (isRecord(expression)) {
    const variables = own(expression, 'variables')
    return isRecord(variables) ? texts(variables, [...path, 'expression', 'variables']) : []
  }
  return targetsOf(indicator).slice(-1)
}

/** Returns all targets of an indicator, with the effective one last. */
export function targetsOf({ path, value }: IndicatorSite): TargetPlace[] {
  const target = targetIn(value, path)
  for (const key of ['pattern', 'semantic']) {
    const block = own(value, key)
    if (isRecord(block)) target.push(...targetIn(block, [...path, key]))
  }
  return target
}

function targetIn(record: ValueRecord, path: Path): TargetPlace[] {
  const text = ownText(record, 'target')
  return text === undefined ? [] : [{ path: [...path, 'target'], text }]
}

function texts(record: ValueRecord, path: Path): TargetPlace[] {
  return Object.entries(record).flatMap(([key, text]: [string, Value]) =>
    typeof text === 'string' ? [{ path: [...path, key], text }] : [],
  )
}
