/** Path expressions that read the output of the agent itself (Agent Format). */
import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** OPEN-7: the agent has no output before its policy has finished. */
export const noParentOutput: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    if (site.place === 'delegation' || expression.source !== 'parent' || expression.direction !== 'output') continue
    const message = 'this agent has no output until its policy has finished; read parent.input instead'
    report(site.path, message, site.at && { at: site.at })
  }
}
