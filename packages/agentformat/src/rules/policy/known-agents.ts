/** The agents that a policy names: they are there, and local. */
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** an agent that a policy names is a local agent of this document. */
export const knownAgents: AgentRule = ({ plan, localAliases, remoteAliases, suggest }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || remoteAliases.has(alias)) continue
    if (alias === '') report(path, 'the name of the agent is empty')
    else report(path, `there is no local agent ${quote(alias)}.`, { meant: suggest(alias, localAliases) })
  }
}

/** OPEN-25: policies run local agents; remote ones are reached from agf.react. */
export const localAgentsOnly: AgentRule = ({ plan, localAliases, remoteAliases }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || !remoteAliases.has(alias)) continue
    report(path, `${quote(alias)} is a remote agent; ${plan?.policy} runs local agents only`)
  }
}
