import { own } from '@joust/source'
import { MOST_REMEDIATION, REMEDIATION } from '../../model/remediation.ts'
import { mcpServerDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

export const remediationShort: LintRule = {
  summary: `\`x-joust-remediation\` is a text of at most ${MOST_REMEDIATION} characters about what to change in the agent or its host.`,
  check({ walk }, report) {
    const text = own(walk.attack, REMEDIATION)
    if (text === undefined) return
    const path = ['attack', REMEDIATION]
    if (typeof text !== 'string' || text.trim() === '') report(path, 'expected a text')
    else if (text.length > MOST_REMEDIATION)
      report(path, `the text has ${text.length} characters, more than ${MOST_REMEDIATION}`)
  },
  good: mcpServerDocument(`
    state: { tools: [] }
  x-joust-remediation: Confirm every payment with the user.
`),
  mistake: ['Confirm every payment with the user.', '[Confirm every payment with the user.]'],
  path: 'attack.x-joust-remediation',
}
