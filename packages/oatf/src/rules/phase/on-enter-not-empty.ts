import { mcpServerDocument, type Rule } from '../rule.ts'
import { checkPhaseLists } from './extractors-not-empty.ts'

export const onEnterNotEmpty: Rule = {
  summary: '`on_enter`, if present, has at least one entry.',
  check(walk, report) {
    checkPhaseLists(walk, 'on_enter', report)
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [] }
        on_enter:
          - send: { method: notifications/tools/list_changed }
`),
  mistake: ['on_enter:\n          - send: { method: notifications/tools/list_changed }', 'on_enter: []'],
  path: 'attack.execution.phases[0].on_enter',
}
