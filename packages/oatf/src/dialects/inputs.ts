/** The inputs of AG-UI runs: of a state, and of entry actions that send one. */
import { own, type Value } from '@joust/source'
import { type Site, sendsOf, siteAt } from '../rules/walk.ts'
import { freshId, type PhasePlace, type Places } from './places.ts'
import type { Found } from './translation.ts'

/** An input, and a name for it that no other input of the document has and that stays the same. */
export interface InputPlace extends Site {
  readonly name: string
}

export function inputsOf({ phases }: Places): InputPlace[] {
  const taken = new Set<unknown>()
  return phases.flatMap((phase) => {
    if (phase.mode !== 'ag_ui_client') return []
    const name = freshId(`${phase.actor}-${phase.name}`, taken)
    const stated = phase.state === undefined ? undefined : siteAt(phase.state, 'run_agent_input')
    return [...(stated === undefined ? [] : [{ ...stated, name }]), ...entered(phase, name)]
  })
}

function entered(phase: PhasePlace, name: string): InputPlace[] {
  return sendsOf(phase).flatMap((send) => {
    const input = own(send.value, 'method') === 'run_agent_input' ? siteAt(send, 'params') : undefined
    // The entry action is the parent of `send`.
    return input === undefined ? [] : [{ ...input, name: `${name}-entry-${Number(send.path.at(-2)) + 1}` }]
  })
}

/** An id that is written but empty is replaced, where an absent one is filled in. */
export function emptyId(written: Value | undefined, name: string): Pick<Found, 'does' | 'left'> {
  return written === undefined ? {} : { does: 'replaces', left: `${name} is sent as written; agents refuse it` }
}
