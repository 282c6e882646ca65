import { describeValue } from '@joust/source'
import { repeated } from '../repeated.ts'
import { mcpServerDocument, type Rule } from '../rule.ts'

/** Explicit phase names are unique within their actor (V-011), also among the names that other phases will get. */
export const uniquePhaseNames: Rule = {
  summary: 'Explicit phase names are unique within their actor.',
  check(walk, report) {
    for (const actor of walk.actors) {
      if (actor.form === 'state') continue
      for (const { path, text, generated } of repeated(actor.phases, 'name', (index) => `phase-${index + 1}`)) {
        const other = generated ? 'normalization calls a phase without a name' : 'an earlier phase is already called'
        report(path, `${other} ${describeValue(text)}; choose another name or leave it out`)
      }
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
