import { quote } from '../../model/quote.ts'
import { EACH } from '../../paths/path-expression.ts'
import type { AgentRule } from '../rule.ts'
import { readSites } from '../walk.ts'

/** P-08, OPEN-13: all fields of a batch go over the same list. */
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
      `this iterates over ${quote(list)}, another field over ${quote(first)}; both must iterate over the same list`,
    )
  }
}
