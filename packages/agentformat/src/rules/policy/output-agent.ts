/** The agent in `output_from` (Agent Format). */
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-29: an agent in `output_from` is run by the policy, and its output is unambiguous. */
export const outputAgent: AgentRule = ({ plan, suggest }, report) => {
  if (plan?.output?.from.kind !== 'agent') return
  const { alias } = plan.output.from
  const runs = plan.delegations.filter((delegation) => delegation.alias === alias)
  if (alias === '') report(plan.output.path, 'the alias of the agent is empty')
  else if (runs.length === 0) {
    const candidates = new Set([...plan.delegations.map((delegation) => delegation.alias), 'last', 'merge', 'first'])
    report(plan.output.path, `no step runs ${quote(alias)}.`, { correction: suggest(alias, candidates) })
  } else if (runs.length > 1 && plan.order === 'together') {
    report(plan.output.path, `${quote(alias)} runs ${runs.length} times in parallel, so its output is ambiguous`)
  }
}
