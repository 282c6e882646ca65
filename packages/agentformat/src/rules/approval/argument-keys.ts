import { quote } from '../../model/quote.ts'
import { EACH, readPathExpression } from '../../paths/path-expression.ts'
import { approvalConditions, groupSites } from '../path-sites.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-39: a condition on a tool or skill names an argument of the call; a matcher under a path never holds. */
export const argumentKeys: AgentRule = ({ approvals, document }, report) => {
  const aliases = new Set(document.action_space?.local_agents?.map(({ alias }) => alias))
  const isPath = (key: string): boolean => {
    if (key.split('.').includes(EACH)) return true
    const read = readPathExpression(key)
    return read.ok && (read.value.source === 'parent' || aliases.has(read.value.source))
  }
  for (const site of approvalConditions(approvals.filter(({ act }) => act === 'call'))) {
    for (const { group, path } of groupSites(site)) {
      for (const key of Object.keys(group.args_match ?? {}).filter(isPath)) {
        const meant = key.split('.').findLast((segment) => segment !== EACH)
        const message = `the keys here are names of arguments, and ${quote(key)} is a path: its matcher never holds.`
        report([...path, 'args_match', key], message, { at: 'key', meant, part: key })
      }
    }
  }
}
