import { describeValue } from '@joust/source'
import { repeated } from '../repeated.ts'
import { mcpServerDocument, type Rule } from '../rule.ts'

/** Explicit phase names are unique within their actor (V-011). */
export const uniquePhaseNames: Rule = {
  summary: 'Explicit phase names are unique within their actor.',
  check(walk, report) {
    for (const actor of walk.actors) {
      if (actor.form === 'state') continue
      for (const { path, text } of repeated(actor.phases, 'name'))
        report(path, `an earlier phase is already called ${describeValue(text)}; choose another name or leave it out`)
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
