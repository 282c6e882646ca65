import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { aliasSites } from './entries.ts'

/** an alias occurs once in its list. */
export const uniqueAliases: AgentRule = ({ space }, report) => {
  const seen = new Set<string>()
  for (const { alias, list, path } of aliasSites(space)) {
    const key = `${list} ${alias}`
    if (seen.has(key)) report(path, `the alias ${quote(alias)} appears more than once in ${list}`)
    seen.add(key)
  }
}
