/** The syntax of path expressions (Agent Format). */
import type { AgentRule } from '../rule.ts'

/** P-01: mapping values and keys of policy conditions are path expressions. */
export const pathGrammar: AgentRule = ({ pathSites }, report) => {
  for (const { place, read, path, at } of pathSites) {
    // Conditions on delegations have their own rule, which suggests a correction.
    if (place === 'delegation' || read.ok || read.error.rule !== 'P-01') continue
    const { message, suggestion } = read.error
    report(path, message, {
      ...(at && { at }),
      ...(suggestion && { correction: suggestion.with, part: suggestion.part }),
    })
  }
}

/** P-07: an expression iterates over at most one list. */
export const singleIteration: AgentRule = ({ pathSites }, report) => {
  for (const { read, path, at } of pathSites) {
    if (!read.ok && read.error.rule === 'P-07') report(path, read.error.message, at && { at })
  }
}
