/** Empty groups of conditions (Agent Format). */
import { groupSites } from '../path-sites.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-17: a group without `args_match` always matches; `args_match: {}` makes that explicit. */
export const emptyGroups: AgentRule = ({ conditions, suggest }, report) => {
  for (const site of conditions) {
    for (const { group, path } of groupSites(site)) {
      if (group.args_match !== undefined) continue
      const message = 'this condition has no args_match, so it always matches.'
      const near = Object.keys(group).find((key) => suggest(key, ['args_match']) !== undefined)
      if (near === undefined) report(path, `${message} Write "args_match: {}" if that is intended.`)
      else report([...path, near], message, { at: 'key', correction: 'args_match' })
    }
  }
}
