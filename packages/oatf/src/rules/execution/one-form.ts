import { isRecord, own } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

const FORMS = ['state', 'phases', 'actors'] as const
const EXECUTION = ['attack', 'execution']

export const oneForm: Rule = {
  summary: 'Exactly one of `state`, `phases`, `actors` is present; `state` comes with a mode, `actors` without one.',
  check(walk, report) {
    if (!isRecord(own(walk.attack, 'execution'))) return // another rule's finding
    const present = FORMS.filter((form) => own(walk.execution, form) !== undefined)
    if (present.length === 0) {
      report(EXECUTION, 'an execution needs "state" (one phase), "phases" (several) or "actors" (several endpoints)', {
        at: 'key',
      })
    } else if (present.length > 1) {
      const seen = present.map((form) => `"${form}"`).join(' and ')
      report(EXECUTION, `${seen} exclude each other; keep one of "state", "phases", "actors"`, { at: 'key' })
    }
    if (present.includes('state') && own(walk.execution, 'mode') === undefined) {
      report(
        [...EXECUTION, 'mode'],
        '"state" needs a "mode" beside it that says which protocol it is for: mode: mcp_server',
      )
    }
    if (present.includes('actors') && own(walk.execution, 'mode') !== undefined) {
      report(
        [...EXECUTION, 'mode'],
        '"mode" cannot be combined with "actors", each of which has a mode of its own; leave it out',
        {
          at: 'key',
        },
      )
    }
  },
  good: mcpServerDocument(`
    state: { tools: [] }
`),
  mistake: ['state: { tools: [] }', 'state: { tools: [] }\n    phases: [{ state: { tools: [] } }]'],
  path: 'attack.execution',
}
