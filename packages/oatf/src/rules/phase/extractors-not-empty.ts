import { mcpServerDocument, type Rule } from '../rule.ts'
import { checkPhaseLists } from './phase-lists.ts'

export const extractorsNotEmpty: Rule = {
  summary: '`extractors`, when present, has at least one entry.',
  check(walk, report) {
    checkPhaseLists(walk, 'extractors', report)
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [] }
        extractors:
          - { name: city, source: request, type: json_path, selector: $.arguments.city }
`),
  mistake: [
    'extractors:\n          - { name: city, source: request, type: json_path, selector: $.arguments.city }',
    'extractors: []',
  ],
  path: 'attack.execution.phases[0].extractors',
}
