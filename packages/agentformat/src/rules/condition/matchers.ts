/** The operators of conditions are not empty, and every pattern compiles (Agent Format). */
import { isList, isRecord, type Path, type Value } from '@joust/source'
import { compilePattern } from '../../model/pattern.ts'
import { groupSites } from '../path-sites.ts'
import type { AgentRule } from '../rule.ts'
import type { AgentWalk } from '../walk.ts'

/** OPEN-16: a matcher has an operator, and its lists are not empty. */
export const emptyMatchers: AgentRule = (walk, report) => {
  for (const { operators, path } of operatorSites(walk)) {
    if (Object.keys(operators).length === 0) report(path, 'a matcher without operators matches every value')
    for (const [name, outcome] of outcomes) {
      const operand = operators[name]
      if (isList(operand) && operand.length === 0) report([...path, name], `an empty list ${outcome}`)
    }
  }
}

const outcomes = [
  ['in', 'never matches'],
  ['not_in', 'matches every value'],
] as const

/** OPEN-21: every `pattern` is valid RE2, within the limits. */
export const patternsCompile: AgentRule = (walk, report) => {
  const most = walk.limits.documentExpressions
  const errors = new Map<string, string | undefined>()
  for (const { operators, path } of operatorSites(walk)) {
    const { pattern } = operators
    if (typeof pattern !== 'string') continue
    const at = [...path, 'pattern']
    if (!errors.has(pattern)) {
      if (errors.size === most) {
        report(at, `the document has more than ${most} different patterns; this one and the rest were not checked`)
        return
      }
      const compiled = compilePattern(pattern, walk.limits)
      errors.set(pattern, compiled.ok ? undefined : compiled.error.message)
    }
    const error = errors.get(pattern)
    if (error !== undefined) report(at, `invalid RE2 pattern: ${error}`)
  }
}

/** An object of operators and its path. */
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
