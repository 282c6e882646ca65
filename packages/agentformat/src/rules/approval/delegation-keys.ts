/** The keys of conditions on delegations (Agent Format). */
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** P-20, OPEN-39: a condition on a delegation reads the input of this agent, never the arguments of a call. */
export const delegationKeys: AgentRule = ({ pathSites }, report) => {
  for (const { place, read, text, path } of pathSites) {
    if (place !== 'delegation') continue
    // Another rule reports a second "[]".
    if (!read.ok && read.error.rule === 'P-07') continue
    if (read.ok && read.value.source === 'parent' && read.value.direction === 'input') continue
    const message = `a condition on a delegation reads this agent's input: write ${correction(text)} instead of ${quote(text)}`
    report(path, message, { at: 'key' })
  }
}

/** The last word of the key as a field of the input. */
function correction(text: string): string {
  const field = /[a-zA-Z_][a-zA-Z0-9_]*$/.exec(text.slice(-100))?.[0]
  return field === undefined ? 'parent.input.<field>' : quote(`parent.input.${field}`)
}
