/** Determines which techniques of a framework a suite tried. */
import { isTechnique } from '../frameworks/framework.ts'
import { frameworks } from '../frameworks/table.ts'
import type { Assessment } from '../model/outcome.ts'
import type { AttackResults } from '../model/results.ts'
import { type Counts, countOutcomes } from './summary.ts'

/**
 * `read`: the model read a bait. `tried`: a bait was sent. `not_tried`: no attack exists, or no attack reached the
 * agent. `cannot_be_tried`: no attack applies to the target, or the technique does not use a protocol.
 */
export const techniqueStates = ['read', 'tried', 'not_tried', 'cannot_be_tried'] as const

export type TechniqueState = (typeof techniqueStates)[number]

/** A technique and the attacks that map to it or to a sub-technique. */
export interface TriedTechnique {
  readonly id: string
  readonly title: string
  readonly state: TechniqueState
  /** Reason why the technique was not tried. */
  readonly reason?: string
  readonly attacks: Counts
  readonly files: readonly string[]
}

export interface FrameworkCoverage {
  readonly framework: string
  readonly title: string
  readonly version: string
  readonly counts: { readonly [state in TechniqueState]: number }
  readonly techniques: readonly TriedTechnique[]
}

/** An attack that could be run. */
export interface AvailableAttack {
  readonly file: string
  readonly mappings: readonly { readonly framework: string; readonly id: string }[]
}

/** Returns the state of every technique in the known frameworks. `available` are attacks that could be run. */
export function frameworkCoverage(
  attacks: readonly AttackResults[],
  available: readonly AvailableAttack[] = [],
): FrameworkCoverage[] {
  return frameworks.map(({ name, title, version, rows }) => {
    const techniques = rows.map(([id, heading, outOfReach]): TriedTechnique => {
      const maps = (mappings: AvailableAttack['mappings'] = []) =>
        mappings.some((mapping) => mapping.framework === name && isTechnique(mapping.id, id))
      const mapped = attacks.filter(({ attack }) => maps(attack.mappings))
      const ready = available.filter(({ mappings }) => maps(mappings)).length
      const files = [...new Set(mapped.map(({ file }) => file))]
      return { id, title: heading, ...stateOf(mapped, outOfReach, ready), attacks: countOutcomes(mapped), files }
    })
    const counts = { read: 0, tried: 0, not_tried: 0, cannot_be_tried: 0 }
    for (const { state } of techniques) counts[state] += 1
    return { framework: name, title, version, counts, techniques }
  })
}

function stateOf(
  mapped: readonly AttackResults[],
  outOfReach: string | undefined,
  ready: number,
): Pick<TriedTechnique, 'state' | 'reason'> {
  const runs = mapped.flatMap((attack): readonly Assessment[] => [attack, ...attack.trials])
  const hasBait = (paths: readonly string[] | undefined, bait: readonly string[]) =>
    bait.some((path) => paths?.includes(path) === true)
  if (runs.some(({ exposure: { read, bait } }) => hasBait(read, bait))) return { state: 'read' }
  if (runs.some(({ exposure: { delivered, bait } }) => hasBait(delivered, bait))) return { state: 'tried' }
  const isNotApplicable = mapped.length > 0 && mapped.every(({ outcome }) => outcome === 'not_applicable')
  if (isNotApplicable) return { state: 'cannot_be_tried', reason: 'no attack in the suite applies to this target' }
  if (mapped.length > 0) return { state: 'not_tried', reason: 'no attack reached the agent' }
  if (ready > 0)
    return { state: 'not_tried', reason: `the library has ${ready} attack${ready === 1 ? '' : 's'} for this technique` }
  if (outOfReach !== undefined) return { state: 'cannot_be_tried', reason: outOfReach }
  return { state: 'not_tried', reason: 'the library has no attack for this technique' }
}
