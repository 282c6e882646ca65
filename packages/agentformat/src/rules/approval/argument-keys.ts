/** The keys of conditions on tools and skills (Agent Format). */
import { quote } from '../../model/quote.ts'
import { EACH, readPathExpression } from '../../paths/path-expression.ts'
import { approvalConditions, groupSites } from '../path-sites.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-39: the keys of a condition on a tool or skill are arguments of the call; a path never matches. */
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
        const correction = key.split('.').findLast((segment) => segment !== EACH)
        const message = `expected the name of an argument, got the path ${quote(key)}, which never matches.`
        report([...path, 'args_match', key], message, { at: 'key', correction, part: key })
      }
    }
  }
}
