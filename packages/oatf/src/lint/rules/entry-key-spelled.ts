import { describeValue, suggestions } from '@joust/source'
import { isVerbatim } from '../../dialects/places.ts'
import { callsDocument } from '../../rules/rule.ts'
import { stateEntries } from '../../traffic/state-entries.ts'
import { writtenParts } from '../../traffic/written.ts'
import { misspelledKeys } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

export const entryKeySpelled: LintRule = {
  summary:
    'The keys of tools, prompts, resources and other state entries, and of their messages, are spelled as in the protocol.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const one of [...stateEntries(walk), ...writtenParts(walk, isVerbatim(walk))]) {
      for (const { key, correction } of misspelledKeys(one, hint)) {
        const fault = `unknown key ${describeValue(key)} in a ${one.noun}: agents ignore it.`
        report([...one.path, key], fault, { at: 'key', correction })
      }
    }
  },
  good: callsDocument(
    `
      tools:
        - name: search
          inputSchema: { type: object }
`,
    'arguments',
    'password',
  ),
  mistake: ['inputSchema: { type: object }', 'input_schema: { type: object }'],
  path: 'attack.execution.state.tools[0].input_schema',
}
