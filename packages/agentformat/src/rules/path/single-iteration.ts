import type { AgentRule } from '../rule.ts'

/** P-07: an expression goes over one list at most. */
export const singleIteration: AgentRule = ({ pathSites }, report) => {
  for (const { read, path, at } of pathSites) {
    if (!read.ok && read.error.rule === 'P-07') report(path, read.error.message, at && { at })
  }
}
