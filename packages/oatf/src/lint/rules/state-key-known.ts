import { describeValue, suggestions } from '@joust/source'
import { findMode } from '../../bindings/table.ts'
import { mcpServerDocument } from '../../rules/rule.ts'
import { siteAt } from '../../rules/walk.ts'
import { meantName } from '../meant.ts'
import type { LintRule } from '../rule.ts'

/** Every key of a state is one of its binding (L-006); extensions are up to the author, misspelled keys to L-013. */
export const stateKeyKnown: LintRule = {
  summary: 'Every key of a state is one that its binding defines.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const phase of walk.phases) {
      const mode = phase.mode === undefined ? undefined : findMode(phase.mode)
      const state = siteAt(phase, 'state')
      if (mode === undefined || state === undefined) continue
      for (const key of Object.keys(state.value)) {
        if (key.startsWith('x-') || mode.stateKeys.includes(key)) continue
        if (meantName(key, mode.stateKeys, hint) !== undefined) continue
        const known = `It knows ${mode.stateKeys.join(', ')}.`
        const message = `${describeValue(key)} has no effect: a state of ${mode.mode} has no such key. ${known}`
        report([...state.path, key], message, { at: 'key' })
      }
    }
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
`),
  mistake: ['server_info: { name: search, version: "1" }', 'banner: Welcome to the search'],
  path: 'attack.execution.state.banner',
}
