import { describeValue, isList, own } from '@joust/source'
import { mcpServerDocument, type Report, type Rule } from '../rule.ts'
import type { Walk } from '../walk.ts'

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

/** Reports every phase in which a list is there but has no entry. */
export function checkPhaseLists(walk: Walk, key: string, report: Report): void {
  for (const phase of walk.phases) {
    const list = own(phase.value, key)
    if (list === undefined || (isList(list) && list.length > 0)) continue
    const seen = isList(list) ? 'is empty' : `must be a list, got ${describeValue(list)}`
    report([...phase.path, key], `"${key}" ${seen}; give it at least one entry or leave it out`)
  }
}
