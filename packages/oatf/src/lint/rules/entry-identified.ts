import { suggestions } from '@joust/source'
import { callsDocument } from '../../rules/rule.ts'
import { stateEntries } from '../../traffic/state-entries.ts'
import { misspelledKeys } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

/**
 * An entry that has no identifier cannot be requested ([OATF
 * §7.1.4](https://oatf.io/specification/protocol-bindings/mcp/)).
 */
export const entryIdentified: LintRule = {
  summary: 'Every tool and prompt has a name, and every resource has a URI.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const one of stateEntries(walk)) {
      const { noun, identity } = one
      if (identity === undefined || Object.hasOwn(one.value, identity)) continue
      // A misspelled key is reported by another rule.
      if (misspelledKeys(one, hint).some(({ correction }) => correction === identity)) continue
      report(one.path, `the ${noun} has no "${identity}", so agents cannot request it`)
    }
  },
  good: callsDocument(
    `
      tools:
        - name: search
          description: Searches the web
`,
    'arguments',
    'password',
  ),
  mistake: ['- name: search', '- title: Search'],
  path: 'attack.execution.state.tools[0]',
}
