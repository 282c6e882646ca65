import { describeValue, isList, isRecord, kindOf, own, suggestions } from '@joust/source'
import type { LintRule } from '../rule.ts'

const TASK = 'x-joust-task'
const FIELDS = ['indicators', 'correlation']

/** What the user wanted is told by a list of indicators (L-011); no run can say whether the task was done otherwise. */
export const taskWellFormed: LintRule = ({ walk }, report) => {
  const task = own(walk.attack, TASK)
  if (task === undefined) return
  const path = ['attack', TASK]
  if (!isRecord(task)) {
    report(path, `a task is a mapping with "indicators", this is ${kindOf(task)}`)
    return
  }
  const hint = suggestions()
  for (const key of Object.keys(task)) {
    if (FIELDS.includes(key)) continue
    report([...path, key], `a task has no field ${describeValue(key)}.`, { at: 'key', meant: hint(key, FIELDS) })
  }
  const indicators = own(task, 'indicators')
  if (indicators === undefined) report(path, 'a task needs "indicators": what shows that it was done')
  else if (!isList(indicators)) report([...path, 'indicators'], `expected a list, this is ${kindOf(indicators)}`)
  else if (indicators.length === 0) report([...path, 'indicators'], 'expected at least one indicator')
  else {
    for (const [index, indicator] of indicators.entries()) {
      if (!isRecord(indicator))
        report([...path, 'indicators', index], `an indicator is a mapping, this is ${kindOf(indicator)}`)
    }
  }
}
