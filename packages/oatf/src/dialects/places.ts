/** The parts of a plain value that translations look at, with their paths. */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { TASK } from '../rules/task.ts'
import { actorSites, type IndicatorSite, indicatorSites, textOf } from '../rules/walk.ts'

/** A mapping and where it stands. */
export interface Place {
  readonly path: Path
  readonly value: ValueRecord
}

/** A phase, its mode and the names that ids are made of. */
export interface PhasePlace extends Place {
  readonly mode: string | undefined
  readonly actor: string
  readonly name: string
  /** Its own state, when that is a mapping. */
  readonly state: Place | undefined
}

export interface Places {
  readonly attack: ValueRecord
  readonly phases: readonly PhasePlace[]
  /** Those of the attack and of its task. */
  readonly indicators: readonly IndicatorSite[]
}

/** Looks a value over; a value that is not a document has no places. */
export function placesIn(value: Value): Places {
  const attack = recordAt(value, 'attack')
  const execution = recordAt(attack, 'execution')
  const task = own(attack, TASK)
  return {
    attack,
    phases: actorSites(execution).flatMap((actor) =>
      actor.phases.map((phase) => ({
        path: phase.path,
        value: phase.value,
        mode: phase.mode,
        actor: actor.name ?? 'default',
        name: (actor.form === 'state' ? undefined : textOf(phase.value, 'name')) ?? `phase-${phase.index + 1}`,
        state: placeAt(phase, 'state'),
      })),
    ),
    indicators: [
      ...indicatorSites(attack, execution),
      ...(isRecord(task) ? indicatorSites(task, execution, ['attack', TASK]) : []),
    ],
  }
}

/** The mapping at a key. */
export function placeAt({ path, value }: Place, key: string): Place | undefined {
  const found = own(value, key)
  return isRecord(found) ? { path: [...path, key], value: found } : undefined
}

/** The mappings of the list at a key. */
export function placesAt({ path, value }: Place, key: string): Place[] {
  const found = own(value, key)
  if (!isList(found)) return []
  return found.flatMap((item, index) => (isRecord(item) ? [{ path: [...path, key, index], value: item }] : []))
}

/** The states of phases of a mode. */
export function statesOf({ phases }: Places, mode: string): Place[] {
  return phases.flatMap((phase) => (phase.mode === mode && phase.state !== undefined ? [phase.state] : []))
}

function recordAt(value: Value, key: string): ValueRecord {
  const found = isRecord(value) ? own(value, key) : undefined
  return isRecord(found) ? found : {}
}
