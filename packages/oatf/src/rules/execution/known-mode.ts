import { describeValue, suggestions } from '@joust/source'
import { knownModes } from '../../bindings/table.ts'
import { writtenModes } from '../modes.ts'
import { isMode } from '../names.ts'
import { attackDocument, type Rule } from '../rule.ts'

export const knownMode: Rule = {
  summary: 'A mode is defined by one of the included bindings.',
  check(walk, report) {
    const hint = suggestions()
    const modes = knownModes()
    const others = ` Expected one of: ${modes.join(', ')}`
    for (const { path, value } of writtenModes(walk)) {
      if (typeof value !== 'string' || !isMode(value) || modes.includes(value)) continue
      const correction = hint(value, modes)
      const message = `unknown mode ${describeValue(value)}.${correction === undefined ? others : ''}`
      report(path, message, { correction })
    }
  },
  good: attackDocument(`
    mode: mcp_server
    state: { tools: [] }
`),
  mistake: ['mode: mcp_server', 'mode: mpc_server'],
  path: 'attack.execution.mode',
}
