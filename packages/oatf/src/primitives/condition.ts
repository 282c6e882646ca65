/** Compiled conditions: the shared implementation of conditions, predicates and patterns. */
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

type ConditionTest = (value: Value) => Result<boolean, EvaluationError>

interface CompiledCondition {
  readonly test: ConditionTest
  /** Returns the matching range; used only for text operators. */
  readonly span: (text: string) => Span | undefined
  /** The operand of `exists` if that is the only operator, in which case the value is not examined. */
  readonly existsOnly: boolean | undefined
}

/** Compiles a condition. An invalid regular expression is reported by each test, not here. */
export function compileCondition(condition: Condition, limits: Limits): CompiledCondition {
  if (!isMatchCondition(condition)) {
    // A value without operators is compared.
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
  const operators: TextOperator[] = []
  const add = (operand: unknown, offset: (text: string, operand: string) => number): void => {
    if (operand === undefined) return
    if (typeof operand !== 'string') {
      operators.push(never)
      return
    }
    const at = (text: string): number => offset(text, operand)
    operators.push({
      test: (text) => ok(at(text) >= 0),
      span: (text) => (at(text) < 0 ? undefined : { start: at(text), end: at(text) + operand.length }),
    })
  }
  add(condition.contains, findText)
  add(condition.starts_with, (text, operand) => (text.startsWith(operand) ? 0 : -1))
  add(condition.ends_with, (text, operand) => (text.endsWith(operand) ? text.length - operand.length : -1))
  if (condition.regex !== undefined) operators.push(regexOperator(condition.regex, limits))
  return operators
}

/** An operand of the wrong type matches nothing. `parse` rejects it, but a condition built in memory may have one. */
const never: TextOperator = { test: () => ok(false), span: () => undefined }

/** Compiles a pattern when it is first applied to a text, because most indicators never examine one. */
function regexOperator(pattern: unknown, limits: Limits): TextOperator {
  if (typeof pattern !== 'string') return never
  let compiled: TextOperator | undefined
  const ready = (): TextOperator => {
    compiled ??= compiledOperator(pattern, limits)
    return compiled
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
  const tests: ((value: Value) => boolean)[] = []
  const { any_of: choices, gt, lt, gte, lte, exists } = condition
  if (exists !== undefined && typeof exists !== 'boolean') tests.push(() => false)
  if (choices !== undefined)
    tests.push((value) => isList(choices) && choices.some((choice) => deepEqual(choice, value)))
  // An operand of the wrong type matches nothing, as above.
  if (gt !== undefined) tests.push((value) => isNumeric(value) && isNumeric(gt) && value > gt)
  if (lt !== undefined) tests.push((value) => isNumeric(value) && isNumeric(lt) && value < lt)
  if (gte !== undefined) tests.push((value) => isNumeric(value) && isNumeric(gte) && value >= gte)
  if (lte !== undefined) tests.push((value) => isNumeric(value) && isNumeric(lte) && value <= lte)
  return tests
}

function overLimit(limit: LimitExceeded, kind: EvaluationError['kind']): EvaluationError {
  return { kind, message: limit.message, limit: limit.limit }
}
