import { describeValue } from '@joust/source'
import { repeated } from '../repeated.ts'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const uniquePhaseNames: Rule = {
  summary: 'Explicit phase names are unique within their actor.',
  check(walk, report) {
    for (const actor of walk.actors) {
      if (actor.form === 'state') continue
      for (const { path, text } of repeated(actor.phases, 'name'))
        report(path, `duplicate phase name ${describeValue(text)}; choose another or remove it`)
    }
  },
  good: mcpServerDocument(`
    phases:
      - name: trust
        state: { tools: [] }
        trigger: { event: tools/call }
      - name: betray
`),
  mistake: ['- name: betray', '- name: trust'],
  path: 'attack.execution.phases[1].name',
}
