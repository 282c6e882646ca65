import { quoteSome } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { depthBelow, depthLimit } from './delegation-depth.ts'

/** OPEN-37: what a model may delegate to can be reached under the agent's limit. */
export const depthReachable: AgentRule = ({ agent, document, remoteAliases }, report) => {
  const limit = depthLimit(agent)
  if (limit === undefined || document.execution_policy.id !== 'agf.react') return
  const local = [...agent.agents].filter(([, child]) => 1 + depthBelow(child) > limit).map(([alias]) => alias)
  const remote = limit < 1 ? [...remoteAliases] : []
  const lost = [...local, ...remote]
  if (lost.length === 0) return
  report(
    ['constraints', 'limits', 'max_delegation_depth'],
    `under this limit the model can never use ${quoteSome(lost)}`,
  )
}
