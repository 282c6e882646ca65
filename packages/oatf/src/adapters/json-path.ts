/** JSONPath (RFC 9535) for extractors: the first match, bounded in steps and depth. */
import {
  defaultLimits,
  defined,
  err,
  type LimitName,
  type Limits,
  messageOf,
  ok,
  type Result,
  type Value,
} from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import { IRegexps } from './i-regexp.ts'
import { planQuery } from './json-path-plan.ts'
import { readJsonPath } from './json-path-syntax.ts'
import { isStackOverflow, StepMeter } from './step-meter.ts'

/** Finds the first node of a value that an expression selects, in document order; undefined when there is none. */
type JsonPathProgram = (value: Value) => Result<Value | undefined, EvaluationError>

/** The syntax error of an expression (V-015), or undefined. */
export function jsonPathSyntaxError(expression: string, limits: Limits = defaultLimits): string | undefined {
  const read = readJsonPath(expression, limits)
  return read.ok ? undefined : read.error.message
}

/** Reads an expression and finds its first match. */
export function firstJsonPathMatch(
  expression: string,
  value: Value,
  limits: Limits = defaultLimits,
): Result<Value | undefined, EvaluationError> {
  const program = compileJsonPath(expression, limits)
  return program.ok ? program.value(value) : program
}

/** Makes an expression ready to run on many values. */
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
    if (isStackOverflow(error)) return err(pathError('the expression nests too deeply', 'jsonPathDepth'))
    return err(pathError(messageOf(error)))
  }
}

function pathError(message: string, limit?: LimitName): EvaluationError {
  return defined({ kind: 'path_resolution' as const, message, limit })
}
