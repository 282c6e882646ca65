/** Maps the peers of a recording, which have the names of real servers, to the actors of a document. */
import type { LoadedAttack } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'

/** The phase of the entries of a recording, which has no attacker and no phases. */
export const RECORDED_PHASE = 'recorded'

/**
 * The names under which a document may know the actor of an entry: its own name if the document has it, otherwise those
 * of all actors that play the same side. An entry of an attack has only its own.
 */
export function recordedActors({ document }: LoadedAttack, { actor, mode, phase }: TraceEntry): readonly string[] {
  if (phase !== RECORDED_PHASE) return [actor]
  const actors = document.attack.execution.actors ?? []
  if (actors.some(({ name }) => name === actor)) return [actor]
  const names = actors.filter((one) => one.mode === mode).map(({ name }) => name)
  return names.length === 0 ? [actor] : names
}
