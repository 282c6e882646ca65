import { describeValue, isList, isRecord, own, type Path, suggestions, type Value } from '@joust/source'
import { isMatchCondition, operatorNames } from '../../model/operators.ts'
import type { Walk } from '../../walk/walk.ts'
import { mcpServerDocument, type Rule } from '../rule.ts'

/**
 * An object without operators is compared as a value. This is valid, but may be due to a misspelled operator. An empty
 * `any_of` never matches.
 */
export const conditionsCanMatch: Rule = {
  summary: 'A condition can match: its keys are operators, and `any_of` is not empty.',
  check(walk, report) {
    const hint = suggestions()
    for (const { path, value } of conditions(walk)) {
      if (isMatchCondition(value)) {
        const choices = own(value, 'any_of')
        if (isList(choices) && choices.length === 0) report([...path, 'any_of'], 'an empty list never matches')
        continue
      }
      if (!isRecord(value)) continue
      const keys = Object.keys(value)
      if (keys.length === 0) report(path, 'an empty condition matches only an empty object')
      for (const key of keys) {
        const correction = hint(key, operatorNames)
        if (correction === undefined) continue
        const message = `unknown operator ${describeValue(key)}, so the whole object is compared as a value.`
        report([...path, key], message, { at: 'key', correction })
      }
    }
  },
  good: mcpServerDocument(`
    state: { tools: [{ name: login, description: Asks for your password }] }
  indicators:
    - surface: tools/call
      target: arguments
      pattern:
        condition: { contains: password }
`),
  mistake: ['contains: password', 'contians: password'],
  path: 'attack.indicators[0].pattern.condition.contians',
}

function conditions(walk: Walk): { path: Path; value: Value }[] {
  return [
    ...walk.indicators.flatMap((indicator) => {
      const pattern = own(indicator.value, 'pattern')
      if (!isRecord(pattern)) return []
      const path = [...indicator.path, 'pattern']
      const condition = own(pattern, 'condition')
      // In the short form, the pattern itself contains the operators.
      return condition === undefined ? [{ path, value: pattern }] : [{ path: [...path, 'condition'], value: condition }]
    }),
    ...walk.predicates.flatMap(({ path, value }) =>
      Object.entries(value).map(([key, condition]) => ({ path: [...path, key], value: condition })),
    ),
  ]
}
