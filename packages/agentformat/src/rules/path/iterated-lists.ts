/** The lists that `[]` iterates over (Agent Format). */
import { ARRAY, typeNames } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { EACH } from '../../paths/path-expression.ts'
import { schemasAt } from '../../paths/schemas-at.ts'
import type { AgentRule } from '../rule.ts'
import { readSites, sourceSchema } from '../walk.ts'

/** P-06: `[]` iterates over a value that can be a list. */
export const iteratedLists: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    const each = expression.segments.indexOf(EACH)
    const schema = sourceSchema(walk, expression)
    if (each < 0 || schema === undefined || site.place !== 'batch mapping') continue
    const types = possibleTypes(schemasAt(schema, expression.segments.slice(0, each), walk.effort).nodes, walk.effort)
    if ((types & ARRAY) !== 0) continue
    report(site.path, `"[]" needs a list, but the schema declares ${typeNames(types)}`)
  }
}
