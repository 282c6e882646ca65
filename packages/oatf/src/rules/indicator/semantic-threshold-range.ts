import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `semantic.threshold` lies between 0 and 1 (V-022). */
export const semanticThresholdRange: Rule = (walk, report) => {
  for (const { path, value } of walk.indicators) {
    const semantic = own(value, 'semantic')
    const threshold = isRecord(semantic) ? own(semantic, 'threshold') : undefined
    if (threshold === undefined || (typeof threshold === 'number' && threshold >= 0 && threshold <= 1)) continue
    report([...path, 'semantic', 'threshold'], `expected a number from 0 to 1, got ${describeValue(threshold)}`)
  }
}
