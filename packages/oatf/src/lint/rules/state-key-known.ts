import { describeValue, suggestions } from '@joust/source'
import { findMode } from '../../bindings/table.ts'
import { callsDocument } from '../../rules/rule.ts'
import { siteAt } from '../../walk/walk.ts'
import { closestName } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

/** Extensions are allowed, and L-013 reports misspelled keys. */
export const stateKeyKnown: LintRule = {
  summary: 'Every key of a state is defined by its binding.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const phase of walk.phases) {
      const mode = phase.mode === undefined ? undefined : findMode(phase.mode)
      const state = siteAt(phase, 'state')
      if (mode === undefined || state === undefined) continue
      for (const key of Object.keys(state.value)) {
        if (key.startsWith('x-') || mode.stateKeys.includes(key)) continue
        if (closestName(key, mode.stateKeys, hint) !== undefined) continue
        const expected = mode.stateKeys.join(', ')
        const message = `unknown key ${describeValue(key)} in a state of ${mode.mode}; it has no effect. Expected one of: ${expected}`
        report([...state.path, key], message, { at: 'key' })
      }
    }
  },
  good: callsDocument(
    `
      server_info: { name: search, version: "1" }
      tools: [{ name: search, description: Searches the web }]
`,
    'arguments',
    'password',
  ),
  mistake: ['server_info: { name: search, version: "1" }', 'banner: Welcome to the search'],
  path: 'attack.execution.state.banner',
}
