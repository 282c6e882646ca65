import type { AgentRule } from '../rule.ts'

/** OPEN-36: lifting the invariant is allowed and worth a second look. */
export const invariantKept: AgentRule = ({ document }, report) => {
  if (document.constraints?.tighten_only_invariant !== false) return
  const message = 'sub-agents of this agent may declare more than it allows itself; its own ancestors still bind them'
  report(['constraints', 'tighten_only_invariant'], message)
}
