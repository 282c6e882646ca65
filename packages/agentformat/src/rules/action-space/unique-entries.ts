import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { allowLists } from './entries.ts'

/** OPEN-44: an allow list names each tool or skill once, or two approvals could stand for the same one. */
export const uniqueEntries: AgentRule = ({ space }, report) => {
  for (const { entries, owner } of allowLists(space)) {
    const seen = new Set<string>()
    for (const { name, path } of entries) {
      if (seen.has(name)) report(path, `${quote(name)} of ${quote(owner)} is allowed more than once`)
      seen.add(name)
    }
  }
}
