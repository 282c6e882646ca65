/** Conditions made ready to test many values: the one implementation behind conditions, predicates and patterns. */
import {
  compileRegex,
  deepEqual,
  err,
  findText,
  isList,
  isNumeric,
  type LimitExceeded,
  type Limits,
  ok,
  type Regex,
  type Result,
  type Span,
  type Value,
  valueToText,
} from '@joust/source'
import type { Condition, MatchCondition } from '../model/document.ts'
import type { EvaluationError } from '../model/errors.ts'
import { isMatchCondition } from '../model/operators.ts'

/** Tests a value that was found. */
type ConditionTest = (value: Value) => Result<boolean, EvaluationError>

/** A condition ready for use. */
interface CompiledCondition {
  readonly test: ConditionTest
  /** Where in a matching text the condition holds, when it is about a stretch of text. */
  readonly span: (text: string) => Span | undefined
  /** What `exists` asks for, when it is the only operator: then no value is looked at. */
  readonly existsOnly: boolean | undefined
}

/** Prepares a condition. An invalid regular expression is reported by each test, not here. */
export function compileCondition(condition: Condition, limits: Limits): CompiledCondition {
  if (!isMatchCondition(condition)) {
    // Not an object of operators, so a value to compare with.
    const expected = condition as Value
    return { test: (value) => ok(deepEqual(expected, value)), span: () => undefined, existsOnly: undefined }
  }
  const textTests = compileTextOperators(condition, limits)
  const others = compileOtherOperators(condition)
  return {
    existsOnly: textTests.length === 0 && others.length === 0 ? condition.exists : undefined,
    span: (text) => textTests.map((operator) => operator.span(text)).find((span) => span !== undefined),
    test: (value) => {
      if (condition.exists === false) return ok(false)
      if (!others.every((accepts) => accepts(value))) return ok(false)
      if (textTests.length === 0) return ok(true)
      const text = valueToText(value, 'code-point', limits)
      if (!text.ok) return err(overLimit(text.error, 'type_error'))
      for (const operator of textTests) {
        const result = operator.test(text.value)
        if (!result.ok || !result.value) return result
      }
      return ok(true)
    },
  }
}

interface TextOperator {
  readonly test: (text: string) => Result<boolean, EvaluationError>
  readonly span: (text: string) => Span | undefined
}

function compileTextOperators(condition: MatchCondition, limits: Limits): TextOperator[] {
  const found: TextOperator[] = []
  const add = (operand: unknown, offset: (text: string, operand: string) => number): void => {
    if (operand === undefined) return
    if (typeof operand !== 'string') {
      found.push(never)
      return
    }
    const at = (text: string): number => offset(text, operand)
    found.push({
      test: (text) => ok(at(text) >= 0),
      span: (text) => (at(text) < 0 ? undefined : { start: at(text), end: at(text) + operand.length }),
    })
  }
  add(condition.contains, findText)
  add(condition.starts_with, (text, operand) => (text.startsWith(operand) ? 0 : -1))
  add(condition.ends_with, (text, operand) => (text.endsWith(operand) ? text.length - operand.length : -1))
  if (condition.regex !== undefined) found.push(regexOperator(condition.regex, limits))
  return found
}

/** An operand of the wrong type matches nothing (parse refuses it; a condition built in memory may have one). */
const never: TextOperator = { test: () => ok(false), span: () => undefined }

/** Compiled when it meets its first text: most indicators never meet one. */
function regexOperator(pattern: unknown, limits: Limits): TextOperator {
  if (typeof pattern !== 'string') return never
  let known: TextOperator | undefined
  const ready = (): TextOperator => {
    known ??= compiledOperator(pattern, limits)
    return known
  }
  return { test: (text) => ready().test(text), span: (text) => ready().span(text) }
}

function compiledOperator(pattern: string, limits: Limits): TextOperator {
  const compiled = compileRegex(pattern, limits)
  if (!compiled.ok) {
    const { limit, message } = compiled.error
    const error: EvaluationError =
      limit === undefined
        ? { kind: 'type_error', message: `the regular expression ${JSON.stringify(pattern)} is invalid: ${message}` }
        : { kind: 'regex_timeout', message, limit: limit.limit }
    return { test: () => err(error), span: () => undefined }
  }
  return regexTests(compiled.value)
}

function regexTests(regex: Regex): TextOperator {
  return {
    test: (text) => {
      const result = regex.test(text)
      return result.ok ? result : err(overLimit(result.error, 'regex_timeout'))
    },
    span: (text) => {
      const result = regex.find(text)
      return result.ok ? result.value : undefined
    },
  }
}

function compileOtherOperators(condition: MatchCondition): ((value: Value) => boolean)[] {
  const found: ((value: Value) => boolean)[] = []
  const { any_of: choices, gt, lt, gte, lte, exists } = condition
  if (exists !== undefined && typeof exists !== 'boolean') found.push(() => false)
  if (choices !== undefined) {
    found.push((value) => isList(choices) && choices.some((choice) => deepEqual(choice, value)))
  }
  // An operand of the wrong type matches nothing, as above.
  if (gt !== undefined) found.push((value) => isNumeric(value) && isNumeric(gt) && value > gt)
  if (lt !== undefined) found.push((value) => isNumeric(value) && isNumeric(lt) && value < lt)
  if (gte !== undefined) found.push((value) => isNumeric(value) && isNumeric(gte) && value >= gte)
  if (lte !== undefined) found.push((value) => isNumeric(value) && isNumeric(lte) && value <= lte)
  return found
}

function overLimit(limit: LimitExceeded, kind: EvaluationError['kind']): EvaluationError {
  return { kind, message: limit.message, limit: limit.limit }
}
