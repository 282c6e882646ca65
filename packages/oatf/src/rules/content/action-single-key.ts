import { cut } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const actionSingleKey: Rule = {
  summary: 'An entry action has exactly one key that is not an extension.',
  check(walk, report) {
    for (const { path, value } of walk.actions) {
      const keys = Object.keys(value).filter((key) => !key.startsWith('x-'))
      if (keys.length === 0) report(path, 'expected one key in an entry action, for example "send" or "log"')
      else if (keys.length > 1)
        report(path, `expected one key in an entry action, got ${listed(keys)}; write one list entry for each`)
    }
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [{ name: search, description: Searches the web }] }
        on_enter:
          - send: { method: notifications/tools/list_changed }
          - log: { message: The tools have changed }
`),
  mistake: ['- log: { message: The tools have changed }', '  log: { message: The tools have changed }'],
  path: 'attack.execution.phases[0].on_enter[0]',
}

function listed(keys: readonly string[]): string {
  const names = keys.slice(0, 3).map((key) => JSON.stringify(cut(key, 60)))
  return keys.length > names.length ? `${names.join(', ')} and ${keys.length - names.length} more` : names.join(' and ')
}
