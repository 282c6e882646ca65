/** Maps the peers in a recording, which have the names of real servers, to actors of a document. */
import type { LoadedAttack } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'

/** The phase name in recordings, which have no attacker and no phases. */
export const RECORDED_PHASE = 'recorded'

/**
 * Converts a server name to an actor name, which has only letters, digits and underscores, and starts with a letter.
 */
export function actorNameOf(server: string): string {
  const plain = server
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40)
  return /^[a-z]/.test(plain) ? plain : `server_${plain}`.replace(/_$/, '')
}

/**
 * Returns the names under which a document may know the actor of a recorded entry: the recorded name, exact or
 * converted, if the document has it; otherwise the names of all actors with the same mode. Entries from attacks keep
 * their actor.
 */
export function recordedActors({ document }: LoadedAttack, { actor, mode, phase }: TraceEntry): readonly string[] {
  if (phase !== RECORDED_PHASE) return [actor]
  const actors = document.attack.execution.actors ?? []
  const names = actors.filter((one) => one.mode === mode).map(({ name }) => name)
  const own = [actor, actorNameOf(actor)].find((name) => names.includes(name))
  if (own !== undefined) return [own]
  return names.length === 0 ? [actor] : names
}
