import { isStandardPolicyId, standardPolicyIds } from '../../model/policy.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-3: a policy is one of the standard ones, or a vendor's with `x-`. */
export const knownPolicy: AgentRule = ({ document, suggest }, report) => {
  const { id } = document.execution_policy
  if (isStandardPolicyId(id) || id.startsWith('x-')) return
  const what = id.startsWith('agf.')
    ? 'no policy of Agent Format 1.0'
    : 'neither a standard policy nor a vendor policy ("x-…")'
  const hint = suggest(id, standardPolicyIds) || suggest(`agf.${id}`, standardPolicyIds) || exact(id)
  report(['execution_policy', 'id'], `${quote(id)} is ${what}, so no run will start.${hint}`)
}

/** The name of a standard policy without its prefix. */
function exact(id: string): string {
  const found = standardPolicyIds.find((known) => known === `agf.${id}`)
  return found === undefined ? '' : ` Did you mean "${found}"?`
}
