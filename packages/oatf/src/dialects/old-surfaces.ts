import { describeValue, isRecord, own, ownText, type Path } from '@joust/source'
import { findBinding } from '../bindings/table.ts'
import { directions } from '../model/enumerations.ts'
import { mcpServerDocument } from '../rules/rule.ts'
import type { IndicatorSite } from '../walk/walk.ts'
import type { Edit } from './edits.ts'
import { renamedInPhase } from './old-phases.ts'
import { type OldSurface, oldSurface } from './old-surface-names.ts'
import { decidingTargets, surfacesWith, targetsOf } from './targets.ts'
import type { Occurrence, Translation } from './translation.ts'

export const oldSurfaces: Translation = {
  summary:
    'A surface or event of an earlier draft (`tool_description`, `task_status`) is read as an operation of the protocol; a selector starts at the message, not at its `params` or `result`.',
  find: ({ phases, indicators }) => [...phases.flatMap(renamedInPhase), ...indicators.flatMap(renamed)],
  bad: mcpServerDocument(`
    state: { tools: [{ name: search, inputSchema: { type: object }, responses: [{ content: [] }] }] }
  indicators:
    - surface: tool_arguments
      target: arguments
      pattern: { contains: "api_key" }
`),
}

function renamed(indicator: IndicatorSite): Occurrence[] {
  const { path, value, protocol = '' } = indicator
  const surface = ownText(value, 'surface')
  if (surface === undefined || findBinding(protocol)?.surfaces.includes(surface)) return []
  const old = oldSurface(protocol, surface)
  if (old === undefined) return []
  const at = [...path, 'surface']
  const current = currentSurfaceOf(indicator, old)
  const read = current === undefined ? `any operation of ${protocol} with the target` : describeValue(current)
  const message = `the surface ${describeValue(surface)} is read as ${read}`
  const edit: Edit = current === undefined ? { op: 'remove', path: at } : { op: 'set', path: at, value: current }
  const edits = [edit, ...targetEdits(indicator, old, at), ...directionEdits(indicator, current, at)]
  return [{ at, message, edits }]
}

/** Returns the only covered operation that has the targets of the indicator; undefined if there are several. */
function currentSurfaceOf(indicator: IndicatorSite, { surfaces, target }: OldSurface): string | undefined {
  const effective = decidingTargets(indicator).map(({ text }) => inside(text, indicator))
  const targets = effective.length > 0 || target === undefined ? effective : [target]
  const [first, ...others] = targets.map((name) => surfacesWith(name, indicator))
  const having = first?.filter((surface) => others.every((some) => some.includes(surface)))
  const fitting = surfaces.filter((surface) => having?.includes(surface) ?? true)
  if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined
  if (having !== undefined && having.length > 0) return having.length === 1 ? having[0] : undefined
  return surfaces.length === 1 ? surfaces[0] : undefined
}

/** A path that starts at the JSON-RPC envelope. Paths now start at the message itself. */
const ENVELOPE = /^(?:params|result)\.(.+)$/

function inside(target: string, indicator: IndicatorSite): string {
  const below = ENVELOPE.exec(target)?.[1]
  return below !== undefined && surfacesWith(below, indicator).length > 0 ? below : target
}

/** Translates the targets and adds the target that the old name implied, because a target is now required. */
function targetEdits(indicator: IndicatorSite, { target }: OldSurface, from: Path): Edit[] {
  const { path, value } = indicator
  const targets = [...targetsOf(indicator), ...decidingTargets(indicator)]
  const edits = targets.flatMap(({ path: at, text }): Edit[] => {
    const current = inside(text, indicator)
    return current === text ? [] : [{ op: 'set', path: at, value: current }]
  })
  if (own(value, 'target') !== undefined) return edits
  const implied = targets[0] === undefined ? target : inside(targets[0].text, indicator)
  if (implied === undefined) return edits
  return [...edits, { op: 'set', path: [...path, 'target'], value: implied, before: 'pattern', from }]
}

/**
 * Adds a direction to an expression, because reading fields that only one direction has fails on other messages. A
 * pattern just does not match.
 */
function directionEdits(indicator: IndicatorSite, current: string | undefined, from: Path): Edit[] {
  const { path, value } = indicator
  if (current === undefined || !isRecord(own(value, 'expression')) || own(value, 'direction') !== undefined) return []
  const effective = decidingTargets(indicator).map(({ text }) => inside(text, indicator))
  const sides = directions.filter((direction) =>
    effective.every((name) => surfacesWith(name, { ...indicator, value: { direction } }).includes(current)),
  )
  const [side] = sides
  if (effective.length === 0 || side === undefined || sides.length > 1) return []
  return [{ op: 'set', path: [...path, 'direction'], value: side, before: 'target', from }]
}
