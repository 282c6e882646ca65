import { isList, isRecord, own, suggestions } from '@joust/source'
import { type PhaseSite, textOf } from '../../rules/walk.ts'
import { meantName } from '../meant.ts'
import type { LintRule } from '../rule.ts'

const KEY = 'run_agent_input'

/** A state of `ag_ui_client` has a `run_agent_input` (L-016): without it no run of the agent begins. */
export const runAgentInputGiven: LintRule = ({ walk }, report) => {
  const hint = suggestions()
  for (const phase of walk.phases) {
    const state = own(phase.value, 'state')
    if (phase.mode !== 'ag_ui_client' || !isRecord(state) || Object.hasOwn(state, KEY) || sendsInput(phase)) continue
    // Misspelled, which is told as such.
    if (Object.keys(state).some((key) => meantName(key, [KEY], hint) !== undefined)) continue
    report([...phase.path, 'state'], `the state has no "${KEY}", so that no run of the agent begins`, { at: 'key' })
  }
}

function sendsInput({ value }: PhaseSite): boolean {
  const actions = own(value, 'on_enter')
  if (!isList(actions)) return false
  return actions.some((action) => {
    const send = isRecord(action) ? own(action, 'send') : undefined
    return isRecord(send) && textOf(send, 'method')?.toLowerCase() === KEY
  })
}
