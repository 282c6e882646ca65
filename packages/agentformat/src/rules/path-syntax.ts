/** Rules for the syntax of path expressions and the lists that they iterate over (Agent Format). */

import { ARRAY, typeNames } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { EACH } from '../paths/path-expression.ts'
import { schemasAt } from '../paths/schemas-at.ts'
import type { AgentRule } from './rule.ts'
import { readSites, sourceSchema } from './walk.ts'

/** P-01: mapping values and keys of policy conditions are path expressions. */
export const pathGrammar: AgentRule = ({ pathSites }, report) => {
  for (const { place, read, path, at } of pathSites) {
    // Conditions on delegations have their own rule, which suggests a correction.
    if (place === 'delegation' || read.ok || read.error.rule !== 'P-01') continue
    const { message, suggestion } = read.error
    report(path, message, {
      ...(at && { at }),
      ...(suggestion && { correction: suggestion.with, part: suggestion.part }),
    })
  }
}

/** P-07: an expression iterates over at most one list. */
export const singleIteration: AgentRule = ({ pathSites }, report) => {
  for (const { read, path, at } of pathSites) {
    if (!read.ok && read.error.rule === 'P-07') report(path, read.error.message, at && { at })
  }
}

/** P-11: only the mapping of a batch iterates over a list. */
export const iterationOnlyInBatch: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    if (site.place === 'batch mapping' || !expression.segments.includes(EACH)) continue
    report(site.path, '"[]" is allowed only in the input_mapping of agf.batch', site.at && { at: site.at })
  }
}

/** P-06: `[]` iterates over a value that can be a list. */
export const iteratedLists: AgentRule = (walk, report) => {
  for (const { site, expression } of readSites(walk)) {
    const each = expression.segments.indexOf(EACH)
    const schema = sourceSchema(walk, expression)
    if (each < 0 || schema === undefined || site.place !== 'batch mapping') continue
    const types = possibleTypes(schemasAt(schema, expression.segments.slice(0, each), walk.effort).nodes, walk.effort)
    if ((types & ARRAY) !== 0) continue
    report(site.path, `"[]" requires a list, but the schema declares ${typeNames(types)}`)
  }
}
