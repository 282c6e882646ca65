/** The operators of conditions: none is empty, and every pattern compiles. */
import { isList, isRecord, type Path, type Value } from '@joust/source'
import { compilePattern } from '../../model/pattern.ts'
import { groupSites } from '../path-sites.ts'
import type { AgentRule } from '../rule.ts'
import type { AgentWalk } from '../walk.ts'

/** OPEN-16: a matcher has an operator, and its lists are not empty. */
export const emptyMatchers: AgentRule = (walk, report) => {
  for (const { operators, path } of operatorSites(walk)) {
    if (Object.keys(operators).length === 0) report(path, 'without an operator this holds for every value')
    for (const [name, outcome] of outcomes) {
      const operand = operators[name]
      if (isList(operand) && operand.length === 0) report([...path, name], `an empty list: this ${outcome}`)
    }
  }
}

const outcomes = [
  ['in', 'never holds'],
  ['not_in', 'holds for every value'],
] as const

/** OPEN-21: every `pattern` is RE2, within the bounds of a run. */
export const patternsCompile: AgentRule = (walk, report) => {
  const most = walk.limits.documentExpressions
  const faults = new Map<string, string | undefined>()
  for (const { operators, path } of operatorSites(walk)) {
    const { pattern } = operators
    if (typeof pattern !== 'string') continue
    const at = [...path, 'pattern']
    if (!faults.has(pattern)) {
      if (faults.size === most) {
        report(at, `the document has more than ${most} different patterns; this one and the rest were not checked`)
        return
      }
      const compiled = compilePattern(pattern, walk.limits)
      faults.set(pattern, compiled.ok ? undefined : compiled.error.message)
    }
    const fault = faults.get(pattern)
    if (fault !== undefined) report(at, `the pattern is not an RE2 expression: ${fault}`)
  }
}

/** An object of operators and where it is. */
interface OperatorsSite {
  readonly operators: { readonly [name: string]: Value }
  readonly path: Path
}

/** Every matcher of a document that is an object of operators. */
function* operatorSites(walk: AgentWalk): Generator<OperatorsSite> {
  for (const site of walk.conditions) {
    for (const { group, path } of groupSites(site)) {
      for (const [key, matcher] of Object.entries(group.args_match ?? {})) {
        if (isRecord(matcher)) yield { operators: matcher, path: [...path, 'args_match', key] }
      }
    }
  }
}
