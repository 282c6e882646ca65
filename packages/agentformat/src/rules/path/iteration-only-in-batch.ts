/** Iteration outside a batch (Agent Format). */
import { EACH } from '../../paths/path-expression.ts'
import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** P-11: only the mapping of a batch iterates over a list. */
export const iterationOnlyInBatch: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    if (site.place === 'batch mapping' || !expression.segments.includes(EACH)) continue
    report(site.path, '"[]" is allowed only in the input_mapping of agf.batch', site.at && { at: site.at })
  }
}
