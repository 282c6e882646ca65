/** One matcher against one value: equality without coercion, ordering of numbers, RE2 patterns (OPEN-16 to OPEN-21). */
import { isList, isRecord, kindOf, type Limits, type Value } from '@joust/source'
import type { Literal, Matcher } from '../model/condition.ts'
import { compilePattern } from '../model/pattern.ts'

/**
 * What a matcher says about a value. `unevaluable` goes with "does not hold" and says why that is not an honest answer:
 * the value has a type that the matcher cannot judge.
 */
interface MatcherOutcome {
  readonly holds: boolean
  readonly unevaluable?: string
}

/** A matcher ready for many values. */
export type MatcherTest = (value: Value) => MatcherOutcome

const HOLDS: MatcherOutcome = { holds: true }
const FAILS: MatcherOutcome = { holds: false }

/** Prepares a matcher. All operators of one object must hold; an empty object always holds. */
export function compileMatcher(matcher: Matcher, limits: Limits): MatcherTest {
  if (isLiteral(matcher)) return oneOf([matcher])
  if (!isRecord(matcher)) return unevaluable('the condition is neither a literal nor an object of operators')
  const tests = Object.entries(matcher).map(([name, operand]) => compileOperator(name, operand, limits))
  return (value) => {
    const outcomes = tests.map((test) => test(value))
    // An operator that fails for good decides, whatever the others could not judge.
    return (
      outcomes.find((outcome) => !outcome.holds && outcome.unevaluable === undefined) ??
      outcomes.find((outcome) => !outcome.holds) ??
      HOLDS
    )
  }
}

function compileOperator(name: string, operand: Value, limits: Limits): MatcherTest {
  switch (name) {
    case 'gt':
      return ordered(operand, (value, bound) => value > bound)
    case 'gte':
      return ordered(operand, (value, bound) => value >= bound)
    case 'lt':
      return ordered(operand, (value, bound) => value < bound)
    case 'lte':
      return ordered(operand, (value, bound) => value <= bound)
    case 'ne':
      return (value) => outcome(value !== operand)
    case 'in':
      return isList(operand) ? oneOf(operand) : unevaluable('"in" needs a list')
    case 'not_in':
      return isList(operand) ? (value) => outcome(!operand.includes(value)) : unevaluable('"not_in" needs a list')
    case 'pattern':
      return pattern(operand, limits)
    default:
      return unevaluable(`there is no operator ${JSON.stringify(name)}`)
  }
}

function ordered(operand: Value, compare: (value: number, bound: number) => boolean): MatcherTest {
  if (typeof operand !== 'number') return unevaluable('the bound is not a number')
  return (value) => (typeof value === 'number' ? outcome(compare(value, operand)) : wrongType(value, 'a number'))
}

/** A value of a type that no member has is not simply "another value": a quoted number must not slip through a gate. */
function oneOf(members: readonly Value[]): MatcherTest {
  const kinds = new Set(members.map((member) => typeof member))
  const wanted = [...kinds].map((kind) => `a ${kind}`).join(' or ')
  return (value) => {
    if (members.includes(value)) return HOLDS
    return members.length === 0 || kinds.has(typeof value) ? FAILS : wrongType(value, wanted)
  }
}

function pattern(operand: Value, limits: Limits): MatcherTest {
  if (typeof operand !== 'string') return unevaluable('the pattern is not text')
  const regex = compilePattern(operand, limits)
  if (!regex.ok) return unevaluable(`the pattern cannot be used: ${regex.error.message}`)
  return (value) => {
    if (typeof value !== 'string') return wrongType(value, 'a string')
    const found = regex.value.test(value)
    return found.ok ? outcome(found.value) : { holds: false, unevaluable: found.error.message }
  }
}

function outcome(holds: boolean): MatcherOutcome {
  return holds ? HOLDS : FAILS
}

function wrongType(value: Value, wanted: string): MatcherOutcome {
  return { holds: false, unevaluable: `the value is ${kindOf(value)}, not ${wanted}` }
}

function unevaluable(reason: string): MatcherTest {
  return () => ({ holds: false, unevaluable: reason })
}

function isLiteral(matcher: unknown): matcher is Literal {
  return typeof matcher === 'string' || typeof matcher === 'number' || typeof matcher === 'boolean'
}
