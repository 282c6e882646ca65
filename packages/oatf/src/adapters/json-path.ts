/** JSONPath (RFC 9535) for extractors: finds the first match, bounded in steps and depth. */
import {
  defaultLimits,
  defined,
  err,
  exceeded,
  type LimitName,
  type Limits,
  messageOf,
  ok,
  type Result,
  type Value,
} from '@joust/source'
import { JSONPathEnvironment, JSONPathError, JSONPathLexerError, type JSONPathQuery } from 'json-p3'
import type { EvaluationError } from '../model/errors.ts'
import { IRegexps } from './i-regexp.ts'
import { planQuery } from './json-path-plan.ts'
import { isStackOverflow, StepMeter } from './step-meter.ts'

/** Returns the first node that an expression selects in a value, in document order, if any. */
type JsonPathProgram = (value: Value) => Result<Value | undefined, EvaluationError>

export function jsonPathSyntaxError(expression: string, limits: Limits = defaultLimits): string | undefined {
  const read = readJsonPath(expression, limits)
  return read.ok ? undefined : read.error.message
}

export function firstJsonPathMatch(
  expression: string,
  value: Value,
  limits: Limits = defaultLimits,
): Result<Value | undefined, EvaluationError> {
  const program = compileJsonPath(expression, limits)
  return program.ok ? program.value(value) : program
}

export function compileJsonPath(
  expression: string,
  limits: Limits = defaultLimits,
): Result<JsonPathProgram, EvaluationError> {
  const read = readJsonPath(expression, limits)
  if (!read.ok) return err(pathError(read.error.message, read.error.limit))
  const steps = attempt(() => planQuery(read.value))
  if (!steps.ok) return steps
  const regexes = new IRegexps(limits)
  return ok((value) => {
    const meter = new StepMeter(limits, 'jsonPathSteps')
    const run = { root: value, meter, regexes }
    const match = attempt(() => {
      let first: Value | undefined
      steps.value(value, run, (node) => {
        first = node
        return true
      })
      return first
    })
    return meter.hit === undefined ? match : err(pathError(meter.hit.message, meter.hit.limit))
  })
}

function attempt<T>(action: () => T): Result<T, EvaluationError> {
  try {
    return ok(action())
  } catch (error) {
    if (isStackOverflow(error)) return err(pathError('the expression is nested too deeply', 'jsonPathDepth'))
    return err(pathError(messageOf(error)))
  }
}

function pathError(message: string, limit?: LimitName): EvaluationError {
  return defined({ kind: 'path_resolution' as const, message, limit })
}

interface JsonPathFault {
  readonly message: string
  readonly limit?: LimitName
}

const environment = new JSONPathEnvironment()

/** Parses an expression. Segments and brackets both count as levels, because both add depth at run time. */
function readJsonPath(source: string, limits: Limits): Result<JSONPathQuery, JsonPathFault> {
  if (source === '') return err({ message: 'the expression is empty' })
  if (source.length > limits.jsonPathSource) return over(limits, 'jsonPathSource', source.length)
  const nesting = nestingOf(source)
  if (nesting > limits.jsonPathDepth) return over(limits, 'jsonPathDepth', nesting)
  try {
    const query = environment.compile(source)
    const { length } = query.segments
    return length > limits.jsonPathDepth ? over(limits, 'jsonPathDepth', length) : ok(query)
  } catch (error) {
    if (isStackOverflow(error)) return over(limits, 'jsonPathDepth')
    return err({ message: describe(error, source) })
  }
}

function nestingOf(source: string): number {
  let depth = 0
  let nesting = 0
  for (const [token] of source.matchAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[[\](){}]/gs)) {
    if (token === '[' || token === '(') nesting = Math.max(nesting, ++depth)
    else if (token === ']' || token === ')') depth--
  }
  return nesting
}

/** Shortens the library's message, which ends with an excerpt of the expression; the position is more useful. */
function describe(error: unknown, source: string): string {
  if (source !== source.trim()) return 'the expression has leading or trailing whitespace'
  if (!(error instanceof JSONPathError)) return messageOf(error)
  const where = `at character ${error.token.index + 1}`
  if (error instanceof JSONPathLexerError) return `the expression ends too early ${where}`
  const reason = error.message.replace(/ \('.*':\d+\)$/s, '')
  return `${reason.replace(/'(?:TOKEN_)?([A-Z_]+)'/g, (_, name: string) => name.toLowerCase())} ${where}`
}

function over(limits: Limits, limit: LimitName, actual?: number): Result<never, JsonPathFault> {
  return err({ message: `the expression is ${exceeded(limits, limit, actual).message}`, limit })
}
