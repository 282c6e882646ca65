import { describeValue, isRecord } from '@joust/source'
import { variableSites } from '../../walk/walk.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/

export const variableNames: Rule = {
  summary: 'Every name in `expression.variables` is a CEL identifier.',
  check(walk, report) {
    for (const { path, variables } of variableSites(walk)) {
      if (!isRecord(variables)) continue
      for (const name of Object.keys(variables)) {
        if (IDENTIFIER.test(name)) continue
        const message = `invalid CEL identifier ${describeValue(name)}: expected letters, digits and "_", not starting with a digit`
        report([...path, name], message, { at: 'key' })
      }
    }
  },
  good: indicatorsDocument(`
    - target: ""
      expression: { cel: size(sent_note) > 9, variables: { sent_note: arguments.note } }
`),
  mistake: ['sent_note: arguments.note', 'sent-note: arguments.note'],
  path: 'attack.indicators[0].expression.variables.sent-note',
}
