import { describeValue, suggestions } from '@joust/source'
import { knownModes } from '../../bindings/table.ts'
import { writtenModes } from '../modes.ts'
import { isMode } from '../names.ts'
import { attackDocument, type Rule } from '../rule.ts'

/** A well-formed mode belongs to an included binding (W-002). */
export const knownMode: Rule = {
  summary: 'A mode belongs to an included binding.',
  check(walk, report) {
    const hint = suggestions()
    const known = knownModes()
    const others = ` Known modes: ${known.join(', ')}.`
    for (const { path, value } of writtenModes(walk)) {
      if (typeof value !== 'string' || !isMode(value) || known.includes(value)) continue
      const meant = hint(value, known)
      const message = `no included binding has the mode ${describeValue(value)}.${meant === undefined ? others : ''}`
      report(path, message, { meant })
    }
  },
  good: attackDocument(`
    mode: mcp_server
    state: { tools: [] }
`),
  mistake: ['mode: mcp_server', 'mode: mpc_server'],
  path: 'attack.execution.mode',
}
