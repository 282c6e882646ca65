import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** P-02: the source of an expression is `parent` or a local agent. */
export const knownSources: AgentRule = (walk, report) => {
  const { localAliases, remoteAliases, suggest } = walk
  for (const { site, expression } of readSites(walk)) {
    const { source } = expression
    if (site.place === 'delegation' || source === 'parent' || localAliases.has(source)) continue
    const message = remoteAliases.has(source)
      ? `${quote(source)} is a remote agent; path expressions read from local agents only`
      : `there is no local agent ${quote(source)}.${suggest(source, new Set([...localAliases, 'parent']))}`
    report(site.path, message, site.at && { at: site.at })
  }
}
