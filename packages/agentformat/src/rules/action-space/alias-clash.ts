import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { aliasSites, type SpaceList } from './entries.ts'

/** OPEN-46: lists may share an alias, but then one of the two gets another name in front of the model. */
export const aliasClash: AgentRule = ({ space }, report) => {
  const first = new Map<string, SpaceList>()
  for (const { alias, list, path } of aliasSites(space)) {
    const other = first.get(alias)
    if (other === undefined) first.set(alias, list)
    else if (other !== list) {
      report(path, `the alias ${quote(alias)} is also in ${other}, so a model will see this one under a longer name`)
    }
  }
}
