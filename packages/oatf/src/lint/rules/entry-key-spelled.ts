import { describeValue, suggestions } from '@joust/source'
import type { LintRule } from '../rule.ts'
import { misspelledKeys, stateEntries } from '../state-entries.ts'

/** The keys of tools, prompts, resources and other entries of a state are spelled as on the wire (L-014). */
export const entryKeySpelled: LintRule = ({ walk }, report) => {
  const hint = suggestions()
  for (const one of stateEntries(walk)) {
    for (const { key, meant } of misspelledKeys(one, hint)) {
      const fault = `${describeValue(key)} means nothing to an agent: a ${one.kind.noun} has no such key.`
      report([...one.path, key], fault, { at: 'key', meant })
    }
  }
}
