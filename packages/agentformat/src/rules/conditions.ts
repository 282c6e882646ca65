/** Rules for groups, keys and operators of conditions (Agent Format). */

import { isList, isRecord, type Path, type Value } from '@joust/source'
import { compilePattern } from '../model/pattern.ts'
import { quote } from '../model/quote.ts'
import { EACH, readPathExpression } from '../paths/path-expression.ts'
import type { AgentRule } from './rule.ts'
import { approvalConditions, groupSites } from './sites.ts'
import type { AgentWalk } from './walk.ts'

/** OPEN-17: a group without `args_match` always matches. `args_match: {}` makes that explicit. */
export const emptyGroups: AgentRule = ({ conditions, suggest }, report) => {
  for (const site of conditions) {
    for (const { group, path } of groupSites(site)) {
      if (group.args_match !== undefined) continue
      const message = 'this condition always matches, because it has no args_match.'
      const near = Object.keys(group).find((key) => suggest(key, ['args_match']) !== undefined)
      if (near === undefined) report(path, `${message} Write "args_match: {}" if that is intended.`)
      else report([...path, near], message, { at: 'key', correction: 'args_match' })
    }
  }
}

/** OPEN-16: a matcher object has at least one operator, and its operators have no empty lists. */
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

interface OperatorsSite {
  readonly operators: { readonly [name: string]: Value }
  readonly path: Path
}

/** Yields every matcher in object form. */
function* operatorSites(walk: AgentWalk): Generator<OperatorsSite> {
  for (const site of walk.conditions) {
    for (const { group, path } of groupSites(site)) {
      for (const [key, matcher] of Object.entries(group.args_match ?? {})) {
        if (isRecord(matcher)) yield { operators: matcher, path: [...path, 'args_match', key] }
      }
    }
  }
}

/** OPEN-39: keys of a condition on a tool or skill are call arguments. A path expression never matches. */
export const argumentKeys: AgentRule = ({ approvals, document }, report) => {
  const aliases = new Set(document.action_space?.local_agents?.map(({ alias }) => alias))
  const isPath = (key: string): boolean => {
    if (key.split('.').includes(EACH)) return true
    const read = readPathExpression(key)
    return read.ok && (read.value.source === 'parent' || aliases.has(read.value.source))
  }
  for (const site of approvalConditions(approvals.filter(({ act }) => act === 'call'))) {
    for (const { group, path } of groupSites(site)) {
      for (const key of Object.keys(group.args_match ?? {}).filter(isPath)) {
        const correction = key.split('.').findLast((segment) => segment !== EACH)
        const message = `expected an argument name, got the path ${quote(key)}, which never matches.`
        report([...path, 'args_match', key], message, { at: 'key', correction, part: key })
      }
    }
  }
}

/** P-20, OPEN-39: a condition on a delegation reads this agent's input, never call arguments. */
export const delegationKeys: AgentRule = ({ pathSites }, report) => {
  for (const { place, read, text, path } of pathSites) {
    if (place !== 'delegation') continue
    // Another rule reports a second "[]".
    if (!read.ok && read.error.rule === 'P-07') continue
    if (read.ok && read.value.source === 'parent' && read.value.direction === 'input') continue
    const message = `a condition on a delegation reads this agent's input: write ${correction(text)} instead of ${quote(text)}`
    report(path, message, { at: 'key' })
  }
}

/** Returns a suggestion that reads the last name in the key from the parent's input. */
function correction(text: string): string {
  const field = /[a-zA-Z_][a-zA-Z0-9_]*$/.exec(text.slice(-100))?.[0]
  return field === undefined ? 'parent.input.<field>' : quote(`parent.input.${field}`)
}
