/** A batch iterates over one list, and its output has a list for the results (Agent Format). */

import { quote } from '../../model/quote.ts'
import { EACH } from '../../paths/path-expression.ts'
import { batchShape } from '../../policies/batch-shape.ts'
import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** at least one field of a batch iterates over a list. */
export const batchIterates: AgentRule = ({ plan }, report) => {
  const batch = plan?.order === 'items' ? plan.delegations[0] : undefined
  // The grammar rule reports a malformed "[]".
  if (batch === undefined || Object.values(batch.mapping ?? {}).some((text) => text.includes(EACH))) return
  const message = 'no field iterates over a list: at least one needs "[]", for example parent.input.items.[]'
  report(batch.mappingPath, message, { at: 'key' })
}

/** P-08, OPEN-13: all iterating fields of a batch iterate over the same list. */
export const batchPrefix: AgentRule = (walk, report) => {
  let first: string | undefined
  for (const { site, expression } of readSites(walk)) {
    const { source, direction, segments } = expression
    const each = segments.indexOf(EACH)
    if (site.place !== 'batch mapping' || each < 0) continue
    const list = [source, direction, ...segments.slice(0, each)].join('.')
    first ??= list
    if (list === first) continue
    report(
      site.path,
      `all fields must iterate over the same list; this one uses ${quote(list)}, another one ${quote(first)}`,
    )
  }
}

/** OPEN-32: the output of a batch has a list for the results. */
export const batchOutputShape: AgentRule = ({ plan, document }, report) => {
  if (plan?.order !== 'items' || batchShape(document.interface.output) !== undefined) return
  const message =
    'a batch returns a list: make the output an array, or an object with "results" or exactly one array property'
  report(['interface', 'output'], message, { at: 'key' })
}
