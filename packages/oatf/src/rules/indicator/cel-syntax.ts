import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** Every CEL expression parses (V-014). */
export const celSyntax: Rule = (walk, report) => {
  for (const indicator of walk.indicators) {
    const expression = own(indicator.value, 'expression')
    if (!isRecord(expression)) continue
    const cel = own(expression, 'cel')
    const path = [...indicator.path, 'expression', 'cel']
    if (cel === undefined) report(path, 'the field "cel" is required')
    else if (typeof cel !== 'string') report(path, `expected a CEL expression in quotes, got ${describeValue(cel)}`)
    else {
      const fault = walk.syntax.cel(cel)
      if (fault !== undefined) report(path, `this is not a CEL expression: ${fault}`)
    }
  }
}
