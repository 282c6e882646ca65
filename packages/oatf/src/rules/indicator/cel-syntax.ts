import { describeValue, isRecord, own } from '@joust/source'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const celSyntax: Rule = {
  summary: 'Every CEL expression is valid.',
  check(walk, report, syntax) {
    for (const indicator of walk.indicators) {
      const expression = own(indicator.value, 'expression')
      if (!isRecord(expression)) continue
      const cel = own(expression, 'cel')
      const path = [...indicator.path, 'expression', 'cel']
      if (cel === undefined) report(path, 'the field "cel" is required')
      else if (typeof cel !== 'string') report(path, `expected a CEL expression in quotes, got ${describeValue(cel)}`)
      else {
        const fault = syntax.cel(cel)
        if (fault !== undefined) report(path, `invalid CEL expression: ${fault}`)
      }
    }
  },
  good: indicatorsDocument(`
    - target: ""
      expression: { cel: size(message.arguments.note) > 1000 }
`),
  mistake: ['cel: size(message.arguments.note) > 1000', 'cel: size(message.arguments.note > 1000'],
  path: 'attack.indicators[0].expression.cel',
}
