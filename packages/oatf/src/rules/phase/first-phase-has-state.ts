import { describeValue, isRecord, own } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const firstPhaseHasState: Rule = {
  summary: 'The first phase of an actor has a `state`, and every state is a mapping.',
  check(walk, report) {
    for (const phase of walk.phases) {
      const state = own(phase.value, 'state')
      if (state === undefined) {
        if (phase.index === 0)
          report(phase.path, 'the field "state" is required in the first phase, which cannot inherit one')
      } else if (!isRecord(state)) report([...phase.path, 'state'], `expected a mapping, got ${describeValue(state)}`)
    }
  },
  good: mcpServerDocument(`
    phases:
      - name: trust
        state: { tools: [] }
`),
  mistake: ['state: { tools: [] }', 'description: Behaves like an ordinary weather server.'],
  path: 'attack.execution.phases[0]',
}
