import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** OPEN-7: the parent has no output before its policy is done. */
export const noParentOutput: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    if (site.place === 'delegation' || expression.source !== 'parent' || expression.direction !== 'output') continue
    const message = 'the output of this agent exists only when its policy is done; read from parent.input'
    report(site.path, message, site.at && { at: site.at })
  }
}
