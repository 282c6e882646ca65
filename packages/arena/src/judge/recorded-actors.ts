/** Maps the peers of a recording, which have the names of real servers, to the actors of a document. */
import type { LoadedAttack } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'

/** The phase of the entries of a recording, which has no attacker and no phases. */
export const RECORDED_PHASE = 'recorded'

/** The name of the actor that stands for a server: only letters, digits and underscores, with a letter first. */
export function actorNameOf(server: string): string {
  const plain = server
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40)
  return /^[a-z]/.test(plain) ? plain : `server_${plain}`.replace(/_$/, '')
}

/**
 * The names under which a document may know the actor of an entry: its own name, exact or as the name of an actor, if
 * the document has it, otherwise those of all actors that play the same side. An entry of an attack has only its own.
 */
export function recordedActors({ document }: LoadedAttack, { actor, mode, phase }: TraceEntry): readonly string[] {
  if (phase !== RECORDED_PHASE) return [actor]
  const actors = document.attack.execution.actors ?? []
  const names = actors.filter((one) => one.mode === mode).map(({ name }) => name)
  const own = [actor, actorNameOf(actor)].find((name) => names.includes(name))
  if (own !== undefined) return [own]
  return names.length === 0 ? [actor] : names
}
