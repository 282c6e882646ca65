/** What has to be a path expression is one, with a single `[]` at most. */
import type { AgentRule } from '../rule.ts'

/** P-01: what has to be a path expression is one. */
export const pathGrammar: AgentRule = ({ pathSites }, report) => {
  for (const { place, read, path, at } of pathSites) {
    // Conditions on delegations have a rule of their own, which shows the right spelling.
    if (place === 'delegation' || read.ok || read.error.rule !== 'P-01') continue
    const { message, suggestion } = read.error
    report(path, message, { ...(at && { at }), ...(suggestion && { meant: suggestion.with, part: suggestion.part }) })
  }
}

/** P-07: an expression goes over one list at most. */
export const singleIteration: AgentRule = ({ pathSites }, report) => {
  for (const { read, path, at } of pathSites) {
    if (!read.ok && read.error.rule === 'P-07') report(path, read.error.message, at && { at })
  }
}
