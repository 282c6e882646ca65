import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-25: policies run local agents; remote ones are reached from agf.react. */
export const localAgentsOnly: AgentRule = ({ plan, localAliases, remoteAliases }, report) => {
  for (const { alias, path } of plan?.delegations ?? []) {
    if (localAliases.has(alias) || !remoteAliases.has(alias)) continue
    report(path, `${quote(alias)} is a remote agent; ${plan?.policy} runs local agents only`)
  }
}
