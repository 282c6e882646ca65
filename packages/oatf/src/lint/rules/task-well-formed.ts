import { callsDocument } from '../../rules/rule.ts'
import { syntaxOf } from '../../rules/syntax.ts'
import { taskFaults } from '../../rules/task.ts'
import type { LintRule } from '../rule.ts'

/** A run uses these indicators to check whether the agent completed the user's task. */
export const taskWellFormed: LintRule = {
  summary: "The user's task (`x-joust-task`) is described by valid indicators.",
  check({ walk, limits }, report) {
    // The loader checks expressions.
    for (const { path, message, options } of taskFaults(walk, syntaxOf({}, limits))) report(path, message, options)
  },
  good: callsDocument(
    `
      server_info: { name: search, version: "1" }
      tools: [{ name: search, description: Searches the web }]
`,
    'arguments',
    'password',
    `  x-joust-task:
    indicators: [{ surface: tools/call, target: name, pattern: { contains: search } }]
`,
  ),
  mistake: ['{ surface: tools/call, target: name, pattern: { contains: search } }', ''],
  path: 'attack.x-joust-task.indicators',
}
