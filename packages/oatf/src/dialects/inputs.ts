/** The inputs of AG-UI runs: of a state, and of entry actions that send one. */
import { own } from '@joust/source'
import { type PhasePlace, type Place, type Places, placeAt, placesAt } from './places.ts'

/** An input, and a name for it that no other input of the document has and that stays the same. */
export interface InputPlace extends Place {
  readonly name: string
}

export function inputsOf({ phases }: Places): InputPlace[] {
  return phases.flatMap((phase) => {
    if (phase.mode !== 'ag_ui_client') return []
    const name = `${phase.actor}-${phase.name}`
    const stated = phase.state === undefined ? undefined : placeAt(phase.state, 'run_agent_input')
    return [...(stated === undefined ? [] : [{ ...stated, name }]), ...entered(phase, name)]
  })
}

function entered(phase: PhasePlace, name: string): InputPlace[] {
  return placesAt(phase, 'on_enter').flatMap((entry, index) => {
    const send = placeAt(entry, 'send')
    const input =
      send === undefined || own(send.value, 'method') !== 'run_agent_input' ? undefined : placeAt(send, 'params')
    return input === undefined ? [] : [{ ...input, name: `${name}-entry-${index + 1}` }]
  })
}
