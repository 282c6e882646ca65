import { describeValue, suggestions } from '@joust/source'
import { isVerbatim } from '../../dialects/places.ts'
import { mcpServerDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'
import { misspelledKeys, stateEntries } from '../state-entries.ts'
import { writtenParts } from '../written.ts'

export const entryKeySpelled: LintRule = {
  summary:
    'The keys of tools, prompts, resources and other entries of a state, and of the messages in them, are spelled as on the wire.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const one of [...stateEntries(walk), ...writtenParts(walk, isVerbatim(walk))]) {
      for (const { key, meant } of misspelledKeys(one, hint)) {
        const fault = `${describeValue(key)} means nothing to an agent: a ${one.noun} has no such key.`
        report([...one.path, key], fault, { at: 'key', meant })
      }
    }
  },
  good: mcpServerDocument(`
    state:
      tools:
        - name: search
          inputSchema: { type: object }
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['inputSchema: { type: object }', 'input_schema: { type: object }'],
  path: 'attack.execution.state.tools[0].input_schema',
}
