import { taskFaults } from '../../rules/task.ts'
import type { LintRule } from '../rule.ts'

/** What the user wanted is told by a list of indicators (L-011); no run can say whether the task was done otherwise. */
export const taskWellFormed: LintRule = ({ walk }, report) => {
  for (const { path, message, options } of taskFaults(walk)) report(path, message, options)
}
