import { describeValue, own, suggestions } from '@joust/source'
import { knownModes } from '../../bindings/table.ts'
import { writtenModes } from '../modes.ts'
import { isMode, isSnakeCase, snakeCaseFault } from '../names.ts'
import { attackDocument, type Rule } from '../rule.ts'

export const modeAndProtocolFormat: Rule = {
  summary: 'Modes have the form `{protocol}_server` or `{protocol}_client`; protocols are in snake_case.',
  check(walk, report) {
    const hint = suggestions()
    for (const { path, value } of writtenModes(walk)) {
      if (typeof value === 'string' && isMode(value)) continue
      const correction = typeof value === 'string' ? hint(value, knownModes()) : undefined
      const fault = `invalid mode ${describeValue(value)}`
      report(path, `${fault}: expected a snake_case protocol, then "_server" or "_client".`, { correction })
    }
    for (const indicator of walk.indicators) {
      const protocol = own(indicator.value, 'protocol')
      if (protocol === undefined || (typeof protocol === 'string' && isSnakeCase(protocol))) continue
      report([...indicator.path, 'protocol'], ...snakeCaseFault(protocol))
    }
  },
  good: attackDocument(`
    mode: mcp_server
    state: { tools: [] }
`),
  mistake: ['mode: mcp_server', 'mode: mcp-server'],
  path: 'attack.execution.mode',
}
