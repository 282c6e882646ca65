import { own, type Value } from '@joust/source'
import { type Site, sendsOf, siteAt } from '../walk/walk.ts'
import { freshId, type PhasePlace, type Places } from './places.ts'
import type { Occurrence } from './translation.ts'

/** An input with a unique, stable name. */
export interface InputPlace extends Site {
  readonly name: string
}

export function inputsOf({ phases }: Places): InputPlace[] {
  const ids = new Set<unknown>()
  return phases.flatMap((phase) => {
    if (phase.mode !== 'ag_ui_client') return []
    const name = freshId(`${phase.actor}-${phase.name}`, ids)
    const stateInput = phase.state === undefined ? undefined : siteAt(phase.state, 'run_agent_input')
    return [...(stateInput === undefined ? [] : [{ ...stateInput, name }]), ...entered(phase, name)]
  })
}

function entered(phase: PhasePlace, name: string): InputPlace[] {
  return sendsOf(phase).flatMap((send) => {
    const input = own(send.value, 'method') === 'run_agent_input' ? siteAt(send, 'params') : undefined
    // The entry action is the parent of `send`.
    return input === undefined ? [] : [{ ...input, name: `${name}-entry-${Number(send.path.at(-2)) + 1}` }]
  })
}

/** Distinguishes an empty id, which is replaced, from a missing id, which is added. */
export function emptyId(written: Value | undefined, name: string): Pick<Occurrence, 'does' | 'unchanged'> {
  return written === undefined ? {} : { does: 'replaces', unchanged: `${name} is sent as written; agents reject it` }
}
