import { describeValue, isList, own } from '@joust/source'
import type { Walk } from '../../walk/walk.ts'
import { mcpServerDocument, type Report, type Rule } from '../rule.ts'

export const extractorsNotEmpty: Rule = {
  summary: '`extractors`, if present, has at least one entry.',
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

/** Reports all phases with an empty list at the key. */
export function checkPhaseLists(walk: Walk, key: string, report: Report): void {
  for (const phase of walk.phases) {
    const list = own(phase.value, key)
    if (list === undefined || (isList(list) && list.length > 0)) continue
    const actual = isList(list) ? 'an empty list' : describeValue(list)
    report([...phase.path, key], `expected at least one entry, got ${actual}; add an entry or remove "${key}"`)
  }
}
