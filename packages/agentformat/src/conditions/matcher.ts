/** Matchers: equality without coercion, numeric comparison and RE2 patterns (Agent Format OPEN-16 to OPEN-21). */
import { isList, isRecord, kindOf, type Limits, type Value } from '@joust/source'
import type { Literal, Matcher } from '../model/condition.ts'
import { compilePattern } from '../model/pattern.ts'

/**
 * The result of a matcher. `unevaluable` is the reason if the matcher cannot compare the value, for example because of
 * its type. `holds` is then false.
 */
interface MatcherOutcome {
  readonly holds: boolean
  readonly unevaluable?: string
}

export type MatcherTest = (value: Value) => MatcherOutcome

const HOLDS: MatcherOutcome = { holds: true }
const FAILS: MatcherOutcome = { holds: false }

/** Compiles a matcher. All operators of an object must match. An empty object always matches. */
export function compileMatcher(matcher: Matcher, limits: Limits): MatcherTest {
  if (isLiteral(matcher)) return oneOf([matcher])
  if (!isRecord(matcher)) return unevaluable('the condition is neither a literal nor an object of operators')
  const tests = Object.entries(matcher).map(([name, operand]) => compileOperator(name, operand, limits))
  return (value) => {
    const outcomes = tests.map((test) => test(value))
    // A definite mismatch takes precedence over operators that could not be evaluated.
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
      return isList(operand) ? oneOf(operand) : unevaluable('"in" requires a list')
    case 'not_in':
      return isList(operand) ? (value) => outcome(!operand.includes(value)) : unevaluable('"not_in" requires a list')
    case 'pattern':
      return pattern(operand, limits)
    default:
      return unevaluable(`unknown operator ${JSON.stringify(name)}`)
  }
}

function ordered(operand: Value, compare: (value: number, bound: number) => boolean): MatcherTest {
  if (typeof operand !== 'number') return unevaluable('the bound is not a number')
  return (value) => (typeof value === 'number' ? outcome(compare(value, operand)) : wrongType(value, 'a number'))
}

/**
 * Tests membership. A value of a different type is unevaluable, not a mismatch: quoting a number must not bypass an
 * approval.
 */
function oneOf(members: readonly Value[]): MatcherTest {
  const kinds = new Set(members.map((member) => typeof member))
  const expected = [...kinds].map((kind) => `a ${kind}`).join(' or ')
  return (value) => {
    if (members.includes(value)) return HOLDS
    return members.length === 0 || kinds.has(typeof value) ? FAILS : wrongType(value, expected)
  }
}

function pattern(operand: Value, limits: Limits): MatcherTest {
  if (typeof operand !== 'string') return unevaluable('the pattern is not a string')
  const regex = compilePattern(operand, limits)
  if (!regex.ok) return unevaluable(`invalid pattern: ${regex.error.message}`)
  return (value) => {
    if (typeof value !== 'string') return wrongType(value, 'a string')
    const match = regex.value.test(value)
    return match.ok ? outcome(match.value) : { holds: false, unevaluable: match.error.message }
  }
}

function outcome(holds: boolean): MatcherOutcome {
  return holds ? HOLDS : FAILS
}

function wrongType(value: Value, expected: string): MatcherOutcome {
  return { holds: false, unevaluable: `expected ${expected}, got ${kindOf(value)}` }
}

function unevaluable(reason: string): MatcherTest {
  return () => ({ holds: false, unevaluable: reason })
}

function isLiteral(matcher: unknown): matcher is Literal {
  return typeof matcher === 'string' || typeof matcher === 'number' || typeof matcher === 'boolean'
}
