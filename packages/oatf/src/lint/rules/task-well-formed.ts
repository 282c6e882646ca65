import { mcpServerDocument } from '../../rules/rule.ts'
import { taskFaults } from '../../rules/task.ts'
import type { LintRule } from '../rule.ts'

/** The user's task is a list of indicators (L-011); without it no run can say whether the task was done. */
export const taskWellFormed: LintRule = {
  summary: 'A task (x-joust-task) says by indicators what the user wanted.',
  check({ walk }, report) {
    for (const { path, message, options } of taskFaults(walk)) report(path, message, options)
  },
  good: mcpServerDocument(`
    state:
      server_info: { name: search, version: "1" }
      tools: [{ name: search, description: Searches the web }]
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
  x-joust-task:
    indicators: [{ surface: tools/call, target: name, pattern: { contains: search } }]
`),
  mistake: ['{ surface: tools/call, target: name, pattern: { contains: search } }', ''],
  path: 'attack.x-joust-task.indicators',
}
