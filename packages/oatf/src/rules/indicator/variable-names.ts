import { describeValue, isRecord } from '@joust/source'
import type { Rule } from '../rule.ts'
import { variableSites } from './variables.ts'

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/

/** Every name in `expression.variables` is a CEL identifier (V-039). */
export const variableNames: Rule = (walk, report) => {
  for (const { path, variables } of variableSites(walk)) {
    if (!isRecord(variables)) continue
    for (const name of Object.keys(variables)) {
      if (IDENTIFIER.test(name)) continue
      report([...path, name], `${describeValue(name)} is not a CEL identifier: letters, digits and "_" only`, {
        at: 'key',
      })
    }
  }
}
