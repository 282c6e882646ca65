/** Rules for the sources and fields that path expressions read (Agent Format). */

import { OBJECT } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { quote } from '../model/quote.ts'
import { findUndeclared } from '../paths/declares-path.ts'
import { EACH } from '../paths/path-expression.ts'
import { schemasAt } from '../paths/schemas-at.ts'
import type { AgentRule } from './rule.ts'
import { readSites, sourceSchema } from './walk.ts'

/** P-02: the source of an expression is `parent` or a local agent. */
export const knownSources: AgentRule = (walk, report) => {
  const { localAliases, remoteAliases, suggest } = walk
  for (const { site, expression } of readSites(walk)) {
    const { source } = expression
    if (site.place === 'delegation' || source === 'parent' || localAliases.has(source)) continue
    const at = site.at && { at: site.at }
    if (remoteAliases.has(source)) {
      report(site.path, `${quote(source)} is a remote agent; path expressions can only read local agents`, at)
    } else {
      const correction = suggest(source, new Set([...localAliases, 'parent']))
      report(site.path, `unknown local agent ${quote(source)}.`, { ...at, correction, part: source })
    }
  }
}

/** OPEN-7: the agent has no output before its policy has finished. */
export const noParentOutput: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    if (site.place === 'delegation' || expression.source !== 'parent' || expression.direction !== 'output') continue
    const message = 'this agent has no output until its policy has finished; read parent.input instead'
    report(site.path, message, site.at && { at: site.at })
  }
}

/** P-04: the schema of the source declares the field. */
export const declaredFields: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    const { source, direction, segments } = expression
    const schema = sourceSchema(walk, expression)
    if (schema === undefined || (source === 'parent' && direction === 'output')) continue
    const missing = findUndeclared(schema, segments, walk.effort)
    if (missing === undefined) continue
    const segment = segments[missing.index] ?? ''
    const where = [source, direction, ...segments.slice(0, missing.index)].join('.')
    const problem =
      segment === EACH ? `${where} is not declared as a list` : `${quote(segment)} is not declared in ${where}`
    const message = `${problem}; the run fails if it is missing.`
    // A schema without declared fields probably allows all fields on purpose.
    const before = schemasAt(schema, segments.slice(0, missing.index), walk.effort).nodes
    const open = missing.names.length === 0 && segment !== EACH && (possibleTypes(before, walk.effort) & OBJECT) !== 0
    const level = open ? ({ level: 'info' } as const) : {}
    const correction = walk.suggest(segment, missing.names)
    report(site.path, message, { ...level, correction, part: segment, ...(site.at && { at: site.at }) })
  }
}
