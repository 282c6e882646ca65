import { operatorNames } from '../model/operators.ts'
import { attackOf, mappingAt, mappingsAt } from './draft.ts'
import { type Draft, poisonedTool, type Step } from './step.ts'

/**
 * Moves the shorthand operators of a pattern into `condition` ([OATF
 * §11.2.5](https://oatf.io/specification/conformance/)).
 */
export const patternStandardForm: Step = {
  summary: 'Expand pattern shorthand to a condition.',
  apply(draft) {
    for (const [, indicator] of mappingsAt(attackOf(draft), 'indicators')) {
      const pattern = mappingAt(indicator, 'pattern')
      if (pattern === undefined || Object.hasOwn(pattern, 'condition')) continue
      const condition: Draft = {}
      for (const operator of operatorNames) {
        if (operator === 'exists' || !Object.hasOwn(pattern, operator)) continue
        condition[operator] = pattern[operator]
        delete pattern[operator]
      }
      if (Object.keys(condition).length > 0) pattern.condition = condition
    }
  },
  before: poisonedTool,
}
