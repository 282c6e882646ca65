/** Evaluates Agent Format conditions. A condition matches if all entries of any group match. */
import { isRecord, type Limits, type Value, withLimits } from '@joust/source'
import type { ConditionGroup, Conditions, Matcher } from '../model/condition.ts'
import { compileMatcher, type MatcherTest } from './matcher.ts'

/** Returns the value of a key, or undefined if the key is missing. */
export type Lookup = (key: string) => Value | undefined

/** A key that could not be evaluated, and the reason. */
export interface Unevaluable {
  readonly key: string
  readonly reason: string
}

/** The result of evaluating a condition. */
export interface ConditionOutcome {
  readonly matched: boolean
  /** False if `matched` is false only because some keys could not be evaluated (OPEN-33). */
  readonly decided: boolean
  /** Keys whose value is missing or has a type that the matcher cannot compare (OPEN-19, OPEN-20). */
  readonly unevaluable: readonly Unevaluable[]
}

/** A compiled condition. */
export type ConditionTest = (lookup: Lookup) => ConditionOutcome

/**
 * Evaluates a condition.
 *
 * @example
 * const { matched } = matchCondition({ args_match: { town: 'Oslo' } }, (key) => dictionary[key])
 */
export function matchCondition(condition: Conditions, lookup: Lookup, limits?: Partial<Limits>): ConditionOutcome {
  return compileCondition(condition, limits)(lookup)
}

/**
 * Compiles a condition and its patterns.
 *
 * @example
 * const test = compileCondition({ args_match: { amount: { gt: 50 } } })
 * const { matched } = test((key) => dictionary[key])
 */
export function compileCondition(condition: Conditions, changes?: Partial<Limits>): ConditionTest {
  const limits = withLimits(changes)
  const groups = groupsOf(condition).map((group) => compileGroup(group, limits))
  return (lookup) => {
    const outcomes = groups.map((group) => evaluateGroup(group, lookup))
    const matched = outcomes.some((outcome) => outcome.holds)
    return {
      matched,
      // An empty list of groups is undecided. No valid document contains one.
      decided: matched || (outcomes.length > 0 && outcomes.every((outcome) => outcome.fails)),
      unevaluable: outcomes.flatMap((outcome) => outcome.unevaluable),
    }
  }
}

/** Returns the groups of a condition, one of which must match. */
export function groupsOf(condition: Conditions): readonly ConditionGroup[] {
  // `isList` would narrow the other branch to `Value`.
  return Array.isArray(condition) ? condition : [condition as ConditionGroup]
}

interface Entry {
  readonly key: string
  readonly test: MatcherTest
}

/** Compiles a group. A group without entries always matches (OPEN-17). */
function compileGroup(group: ConditionGroup, limits: Limits): readonly Entry[] {
  const entries: unknown = group?.args_match
  if (!isRecord(entries)) return []
  // `compileMatcher` handles values that are not matchers.
  return Object.entries(entries).map(([key, matcher]) => ({ key, test: compileMatcher(matcher as Matcher, limits) }))
}

interface GroupOutcome {
  readonly holds: boolean
  /** True if at least one entry could be evaluated and does not match. */
  readonly fails: boolean
  readonly unevaluable: readonly Unevaluable[]
}

function evaluateGroup(entries: readonly Entry[], lookup: Lookup): GroupOutcome {
  let holds = true
  let fails = false
  const unevaluable: Unevaluable[] = []
  for (const { key, test } of entries) {
    const value = lookup(key)
    const outcome = value === undefined ? { holds: false, unevaluable: 'missing value' } : test(value)
    if (outcome.holds) continue
    holds = false
    if (outcome.unevaluable === undefined) fails = true
    else unevaluable.push({ key, reason: outcome.unevaluable })
  }
  return { holds, fails, unevaluable }
}
