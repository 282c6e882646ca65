import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-29: an agent in `output_from` is one that the policy runs, and its output is one output. */
export const outputAgent: AgentRule = ({ plan, suggest }, report) => {
  if (plan?.output?.from.kind !== 'agent') return
  const { alias } = plan.output.from
  const runs = plan.delegations.filter((delegation) => delegation.alias === alias)
  if (alias === '') report(plan.output.path, 'the name of the agent is empty')
  else if (runs.length === 0) {
    const known = new Set([...plan.delegations.map((delegation) => delegation.alias), 'last', 'merge', 'first'])
    report(plan.output.path, `no step runs ${quote(alias)}.`, { meant: suggest(alias, known) })
  } else if (runs.length > 1 && plan.order === 'together') {
    report(
      plan.output.path,
      `${quote(alias)} runs ${runs.length} times side by side, so "its output" is not one output`,
    )
  }
}
