import { attackOf, mappingAt, mappingsAt, setDefault } from './draft.ts'
import { poisonedTool, type Step } from './step.ts'

/**
 * Copies the indicator's target to patterns and semantic blocks that lack a target ([OATF
 * §11.2.4](https://oatf.io/specification/conformance/)).
 */
export const indicatorTargets: Step = {
  summary: 'Copy the target of an indicator to its pattern or semantic block.',
  apply(draft) {
    for (const [, indicator] of mappingsAt(attackOf(draft), 'indicators')) {
      if (typeof indicator.target !== 'string') continue
      for (const key of ['pattern', 'semantic']) {
        const block = mappingAt(indicator, key)
        if (block !== undefined) setDefault(block, 'target', indicator.target)
      }
    }
  },
  before: poisonedTool,
}
