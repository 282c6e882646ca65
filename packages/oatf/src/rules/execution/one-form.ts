import { isRecord, own } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

const FORMS = ['state', 'phases', 'actors'] as const
const EXECUTION = ['attack', 'execution']

export const oneForm: Rule = {
  summary:
    'Exactly one of `state`, `phases` and `actors` is present; `state` requires `mode`, and `actors` excludes `mode`.',
  check(walk, report) {
    if (!isRecord(own(walk.attack, 'execution'))) return // Another rule reports a missing execution.
    const present = FORMS.filter((form) => own(walk.execution, form) !== undefined)
    if (present.length === 0) {
      const expected = '"state" (one phase), "phases" (several phases) or "actors" (several endpoints)'
      report(EXECUTION, `expected one of ${expected}`, { at: 'key' })
    } else if (present.length > 1) {
      const forms = present.map((form) => `"${form}"`).join(' and ')
      report(EXECUTION, `expected one of "state", "phases", "actors", got ${forms}`, { at: 'key' })
    }
    if (present.includes('state') && own(walk.execution, 'mode') === undefined)
      report([...EXECUTION, 'mode'], 'the field "mode" is required with "state", for example mcp_server')
    if (present.includes('actors') && own(walk.execution, 'mode') !== undefined) {
      const message = '"mode" cannot be combined with "actors"; set the mode of each actor instead'
      report([...EXECUTION, 'mode'], message, { at: 'key' })
    }
  },
  good: mcpServerDocument(`
    state: { tools: [] }
`),
  mistake: ['state: { tools: [] }', 'state: { tools: [] }\n    phases: [{ state: { tools: [] } }]'],
  path: 'attack.execution',
}
