/** Conditions hold when all entries of any one group hold. Pure, and independent of the order of groups and entries. */
import { defaultLimits, isRecord, type Limits, type Value } from '@joust/source'
import type { ConditionGroup, Conditions, Matcher } from '../model/condition.ts'
import { compileMatcher, type MatcherTest } from './matcher.ts'

/** What a key of a condition stands for. */
export type Lookup = (key: string) => { readonly found: true; readonly value: Value } | { readonly found: false }

/** A key that could not be judged, and why. */
export interface Unevaluable {
  readonly key: string
  readonly reason: string
}

/** The result of a condition. */
export interface ConditionOutcome {
  readonly matched: boolean
  /** False when it did not match, and the keys that could not be judged are the only reason why (OPEN-33). */
  readonly decided: boolean
  /** Every key that is absent or of a type its matcher cannot judge (OPEN-19, OPEN-20). */
  readonly unevaluable: readonly Unevaluable[]
}

/** A condition ready for many evaluations. */
export type ConditionTest = (lookup: Lookup) => ConditionOutcome

/** Evaluates a condition. */
export function matchCondition(
  condition: Conditions,
  lookup: Lookup,
  limits: Limits = defaultLimits,
): ConditionOutcome {
  return compileCondition(condition, limits)(lookup)
}

/** Prepares a condition: patterns are compiled once. */
export function compileCondition(condition: Conditions, limits: Limits = defaultLimits): ConditionTest {
  const groups = groupsOf(condition).map((group) => compileGroup(group, limits))
  return (lookup) => {
    const outcomes = groups.map((group) => evaluateGroup(group, lookup))
    const matched = outcomes.some((outcome) => outcome.holds)
    return {
      matched,
      // An empty list of groups, which no document can have, decides nothing.
      decided: matched || (outcomes.length > 0 && outcomes.every((outcome) => outcome.fails)),
      unevaluable: outcomes.flatMap((outcome) => outcome.unevaluable),
    }
  }
}

/** The groups of a condition, one of which must hold. */
export function groupsOf(condition: Conditions): readonly ConditionGroup[] {
  // `isList` would make the members of the other branch values.
  return Array.isArray(condition) ? condition : [condition as ConditionGroup]
}

interface Entry {
  readonly key: string
  readonly test: MatcherTest
}

/** A group without entries always holds (OPEN-17). */
function compileGroup(group: ConditionGroup, limits: Limits): readonly Entry[] {
  const entries: unknown = group?.args_match
  if (!isRecord(entries)) return []
  // Values that are not matchers are judged by `compileMatcher`.
  return Object.entries(entries).map(([key, matcher]) => ({ key, test: compileMatcher(matcher as Matcher, limits) }))
}

interface GroupOutcome {
  readonly holds: boolean
  /** Whether some entry fails for good. */
  readonly fails: boolean
  readonly unevaluable: readonly Unevaluable[]
}

function evaluateGroup(entries: readonly Entry[], lookup: Lookup): GroupOutcome {
  let holds = true
  let fails = false
  const unevaluable: Unevaluable[] = []
  for (const { key, test } of entries) {
    const found = lookup(key)
    const outcome = found.found ? test(found.value) : { holds: false, unevaluable: 'there is no value' }
    if (outcome.holds) continue
    holds = false
    if (outcome.unevaluable === undefined) fails = true
    else unevaluable.push({ key, reason: outcome.unevaluable })
  }
  return { holds, fails, unevaluable }
}
