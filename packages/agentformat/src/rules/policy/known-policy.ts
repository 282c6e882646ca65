/** The id of the execution policy (Agent Format). */
import { isStandardPolicyId, standardPolicyIds } from '../../model/policy.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-3: a policy is standard, or a vendor policy with `x-`. */
export const knownPolicy: AgentRule = ({ document, suggest }, report) => {
  const { id } = document.execution_policy
  if (isStandardPolicyId(id) || id.startsWith('x-')) return
  const problem = id.startsWith('agf.')
    ? 'not a policy of Agent Format 1.0'
    : 'neither a standard policy nor a vendor policy ("x-…")'
  const full = `agf.${id}`
  const correction =
    suggest(id, standardPolicyIds) ??
    suggest(full, standardPolicyIds) ??
    standardPolicyIds.find((standard) => standard === full)
  report(['execution_policy', 'id'], `${quote(id)} is ${problem}, so no run will start.`, { correction })
}
