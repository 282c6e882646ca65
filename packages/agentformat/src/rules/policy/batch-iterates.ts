import { EACH } from '../../paths/path-expression.ts'
import type { AgentRule } from '../rule.ts'

/** at least one field of a batch goes over a list. */
export const batchIterates: AgentRule = ({ plan }, report) => {
  const batch = plan?.order === 'items' ? plan.delegations[0] : undefined
  // A "[]" in the wrong form is the grammar's finding.
  if (batch === undefined || Object.values(batch.mapping ?? {}).some((text) => text.includes(EACH))) return
  const message = 'no field iterates over a list: at least one needs "[]", for example parent.input.items.[]'
  report(batch.mappingPath, message, { at: 'key' })
}
