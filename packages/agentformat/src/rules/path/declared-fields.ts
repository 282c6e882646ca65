import { OBJECT } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { quote } from '../../model/quote.ts'
import { findUndeclared } from '../../paths/declares-path.ts'
import { EACH } from '../../paths/path-expression.ts'
import { schemasAt } from '../../paths/schemas-at.ts'
import type { AgentRule } from '../rule.ts'
import { readSites, sourceSchema } from '../walk.ts'

/** P-04: the field of an expression is declared by the schema of its source. */
export const declaredFields: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    const { source, direction, segments } = expression
    const schema = sourceSchema(walk, expression)
    if (schema === undefined || (source === 'parent' && direction === 'output')) continue
    const missing = findUndeclared(schema, segments, walk.effort)
    if (missing === undefined) continue
    const segment = segments[missing.index] ?? ''
    const where = [source, direction, ...segments.slice(0, missing.index)].join('.')
    const what = segment === EACH ? `does not declare ${where} as a list` : `declares no ${quote(segment)} in ${where}`
    const message = `the schema ${what}, so the run fails when it is not there.`
    // An object whose schema names no field at all leaves them open; that is a choice, not a slip.
    const before = schemasAt(schema, segments.slice(0, missing.index), walk.effort).nodes
    const open = missing.names.length === 0 && segment !== EACH && (possibleTypes(before, walk.effort) & OBJECT) !== 0
    const level = open ? ({ level: 'info' } as const) : {}
    const meant = walk.suggest(segment, missing.names)
    report(site.path, message, { ...level, meant, part: segment, ...(site.at && { at: site.at }) })
  }
}
