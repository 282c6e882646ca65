import { own, type Path, type Value } from '@joust/source'
import { observedProtocols } from '../bindings/observed.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import type { Walk } from '../walk/walk.ts'

interface ModeSite {
  readonly path: Path
  readonly value: Value
}

/** Returns the modes of the execution, actors and phases as written, without inherited modes. */
export function writtenModes(walk: Walk): ModeSite[] {
  const modes = modeAt(['attack', 'execution', 'mode'], own(walk.execution, 'mode'))
  for (const actor of walk.actors) {
    // In the single-phase form, the execution is the phase.
    if (actor.form === 'state') continue
    // Another rule reports a mode that is not a string.
    if (actor.form === 'actors') modes.push(...modeAt([...actor.path, 'mode'], actor.mode))
    for (const phase of actor.phases) modes.push(...modeAt([...phase.path, 'mode'], own(phase.value, 'mode')))
  }
  return modes
}

export function protocolsOf(walk: Walk): ReadonlySet<string> {
  const modes = [...walk.actors, ...walk.phases].flatMap((site) => site.mode ?? [])
  const observed = modes.length > 0 ? observedProtocols(walk) : []
  return new Set([...modes.map(extractProtocol), ...observed])
}

function modeAt(path: Path, value: Value | undefined): ModeSite[] {
  return value === undefined ? [] : [{ path, value }]
}
