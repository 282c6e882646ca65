import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** P-20, OPEN-39: a condition on a delegation looks at this agent's input, never at arguments of a call. */
export const delegationKeys: AgentRule = ({ pathSites }, report) => {
  for (const { place, read, text, path } of pathSites) {
    if (place !== 'delegation') continue
    // A second "[]" is another rule's finding.
    if (!read.ok && read.error.rule === 'P-07') continue
    if (read.ok && read.value.source === 'parent' && read.value.direction === 'input') continue
    const right = spelled(text)
    const message = `a condition on a delegation reads this agent's input, so ${quote(text)} must be written ${right}`
    report(path, message, { at: 'key' })
  }
}

/** The last word of what was written, as a field of the input. */
function spelled(text: string): string {
  const field = /[a-zA-Z_][a-zA-Z0-9_]*$/.exec(text.slice(-100))?.[0]
  return field === undefined ? 'parent.input.<field>' : quote(`parent.input.${field}`)
}
