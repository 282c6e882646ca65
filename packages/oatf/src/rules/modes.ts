import { own, type Path, type Value } from '@joust/source'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import type { Walk } from './walk.ts'

/** A mode as it is written in the document. */
interface ModeSite {
  readonly path: Path
  readonly value: Value
}

/** Every mode that is written: of the execution, of an actor, of a phase. Inherited ones are not repeated. */
export function writtenModes(walk: Walk): ModeSite[] {
  const found = modeAt(['attack', 'execution', 'mode'], own(walk.execution, 'mode'))
  for (const actor of walk.actors) {
    // In the single-phase form the execution is the phase.
    if (actor.form === 'state') continue
    // An actor whose mode is not text has none, which is another rule's finding.
    if (actor.form === 'actors') found.push(...modeAt([...actor.path, 'mode'], actor.mode))
    for (const phase of actor.phases) found.push(...modeAt([...phase.path, 'mode'], own(phase.value, 'mode')))
  }
  return found
}

/** The protocols that the actors of a document speak. */
export function spokenProtocols(walk: Walk): ReadonlySet<string> {
  const modes = [...walk.actors, ...walk.phases].flatMap((site) => site.mode ?? [])
  return new Set(modes.map(extractProtocol))
}

function modeAt(path: Path, value: Value | undefined): ModeSite[] {
  return value === undefined ? [] : [{ path, value }]
}
