/** The sections of a document that translations examine, with their paths. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { TASK } from '../rules/task.ts'
import { actorSites, type IndicatorSite, indicatorSites, phaseName, recordAt, type Site, siteAt } from '../walk/walk.ts'

export interface PhasePlace extends Site {
  readonly mode: string | undefined
  readonly actor: string
  readonly name: string
  /** The phase's own state, if it is a mapping. */
  readonly state: Site | undefined
}

export interface Places {
  readonly attack: ValueRecord
  readonly phases: readonly PhasePlace[]
  /** The indicators of the attack and its task. */
  readonly indicators: readonly IndicatorSite[]
}

/** Collects the sections of a document; empty for any other value. */
export function placesIn(value: Value): Places {
  const attack = recordAt(value, 'attack')
  const execution = recordAt(attack, 'execution')
  const task = own(attack, TASK)
  return {
    attack,
    phases: actorSites(execution).flatMap((actor) =>
      actor.phases.map((phase) => ({
        ...phase,
        actor: actor.name ?? 'default',
        // In the single-phase form, a name next to the state is not a phase name.
        name: actor.form === 'state' ? 'phase-1' : phaseName(phase),
        state: siteAt(phase, 'state'),
      })),
    ),
    indicators: [
      ...indicatorSites(attack, execution),
      ...(isRecord(task) ? indicatorSites(task, execution, ['attack', TASK]) : []),
    ],
  }
}

export function statesOf({ phases }: Places, mode: string): Site[] {
  return phases.flatMap((phase) => (phase.mode === mode && phase.state !== undefined ? [phase.state] : []))
}

export const VERBATIM = 'x-joust-verbatim'

export function isVerbatim({ attack }: Pick<Places, 'attack'>): boolean {
  return own(attack, VERBATIM) === true
}

/** Generates an unused id and reserves it. */
export function freshId(id: string, taken: Set<unknown>): string {
  let unused = id
  for (let next = 2; taken.has(unused); next++) unused = `${id}-${next}`
  taken.add(unused)
  return unused
}

/** True for a missing id. Peers treat `null` and an empty string as missing. */
export function lacksId(id: Value | undefined): boolean {
  return id === undefined || id === null || id === ''
}
