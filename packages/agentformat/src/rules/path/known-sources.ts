/** The sources of path expressions (Agent Format). */
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** P-02: the source of an expression is `parent` or a local agent. */
export const knownSources: AgentRule = (walk, report) => {
  const { localAliases, remoteAliases, suggest } = walk
  for (const { site, expression } of readSites(walk)) {
    const { source } = expression
    if (site.place === 'delegation' || source === 'parent' || localAliases.has(source)) continue
    const at = site.at && { at: site.at }
    if (remoteAliases.has(source)) {
      report(site.path, `${quote(source)} is a remote agent; path expressions can only read local agents`, at)
    } else {
      const correction = suggest(source, new Set([...localAliases, 'parent']))
      report(site.path, `unknown local agent ${quote(source)}.`, { ...at, correction, part: source })
    }
  }
}
