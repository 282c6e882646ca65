/** The agents in a policy exist and are local (Agent Format). */
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** an agent in a policy is a local agent of the document. */
export const knownAgents: AgentRule = ({ plan, localAliases, remoteAliases, suggest }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || remoteAliases.has(alias)) continue
    if (alias === '') report(path, 'the alias of the agent is empty')
    else report(path, `unknown local agent ${quote(alias)}.`, { correction: suggest(alias, localAliases) })
  }
}

/** OPEN-25: policies run local agents; only agf.react can call remote ones. */
export const localAgentsOnly: AgentRule = ({ plan, localAliases, remoteAliases }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || !remoteAliases.has(alias)) continue
    report(path, `${quote(alias)} is a remote agent; ${plan?.policy} can only run local agents`)
  }
}
