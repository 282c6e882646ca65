import { batchShape } from '../../policies/batch-shape.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-32: the output of a batch has a place for the list of results. */
export const batchOutputShape: AgentRule = ({ plan, document }, report) => {
  if (plan?.order !== 'items' || batchShape(document.interface.output) !== undefined) return
  const message =
    'a batch gives a list: make the output an array, or an object with "results" or exactly one array property'
  report(['interface', 'output'], message, { at: 'key' })
}
