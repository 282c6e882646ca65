import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { allowLists } from './entries.ts'

/** OPEN-44: an empty allow list allows nothing; only one that is left out allows everything. */
export const emptyAllowList: AgentRule = ({ space }, report) => {
  for (const { path, owner, entries } of allowLists(space)) {
    if (entries.length > 0) continue
    report(path, `the list is empty, so nothing of ${quote(owner)} can be used; leave it out to allow everything`)
  }
}
