/**
 * CEL ([OATF SDK §6.1](https://oatf.io/sdk/extension-points/)): conditions on messages, limited in steps and time.
 * Reading a missing field is an error, never false.
 */
import { type CelError, type CelResult, type CelValue, celType, isCelError, plan } from '@bufbuild/cel'
import { cut, defined, err, type LimitName, type Limits, messageOf, ok, type Result, withLimits } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import type { CelContext, CelEvaluator, CelProgram } from '../model/evaluators.ts'
import { oatfLimits } from '../model/limits.ts'
import type { CelRun } from './cel-call.ts'
import { meteredEnvironment } from './cel-functions.ts'
import { rewriteCel } from './cel-rewrite.ts'
import { type Expr, partsOf, readCel } from './cel-syntax.ts'
import { toCelValue } from './cel-values.ts'
import { RegexCache } from './metered-regex.ts'
import { isStackOverflow, StepMeter } from './step-meter.ts'

/**
 * Options for a CEL evaluator.
 *
 * @example
 * const cel = createCelEvaluator({ limits: { celMilliseconds: 50 } })
 */
export interface CelOptions {
  /** Limits for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
  /** The clock for the `celMilliseconds` limit. @default the system clock */
  readonly now?: () => number
}

/**
 * Creates the CEL evaluator that ships with the SDK.
 *
 * @example
 * const { result } = evaluateIndicator({ target: '', expression: { cel: 'true' } }, {}, { cel: createCelEvaluator() })
 */
export function createCelEvaluator(options: CelOptions = {}): CelEvaluator & Required<Pick<CelEvaluator, 'compile'>> {
  const limits = withLimits(options.limits)
  const now = options.now ?? Date.now
  const run: CelRun = { meter: new StepMeter(limits, 'celSteps'), regexes: new RegexCache(limits) }
  const environment = meteredEnvironment(run)
  const traces = stackTraces()
  const remembered = new Map<string, Result<CelProgram, EvaluationError>>()

  const prepare = (expression: string): Result<CelProgram, EvaluationError> =>
    attempt(() => {
      const read = readCel(expression, limits)
      if (!read.ok) return err(celFailure(read.error.message, read.error.limit))
      rewriteCel(read.value)
      const evaluatePlan = plan(environment, read.value)
      return ok((context) =>
        attempt(() => {
          const meter = new StepMeter(limits, 'celSteps', { limit: 'celMilliseconds', now })
          const result = withMeter(run, meter, traces, () => evaluatePlan(variablesOf(context)))
          // After a limit was hit, the returned value is meaningless.
          if (meter.hit !== undefined) return err(celFailure(meter.hit.message, meter.hit.limit))
          return outcomeOf(result, read.value)
        }),
      )
    })

  const compile = (expression: string): Result<CelProgram, EvaluationError> => {
    const cached = remembered.get(expression)
    if (cached !== undefined) return cached
    if (remembered.size >= oatfLimits.rememberedExpressions) remembered.clear()
    const program = prepare(expression)
    remembered.set(expression, program)
    return program
  }
  const evaluate = (expression: string, context: CelContext): ReturnType<CelProgram> => {
    const program = compile(expression)
    return program.ok ? program.value(context) : program
  }
  return { compile, evaluate }
}

/** Copies variables to an object without a prototype, so that `toString` is bound only if the context contains it. */
function variablesOf(context: CelContext): { [name: string]: CelValue } {
  const variables: { [name: string]: CelValue } = Object.create(null)
  for (const name of Object.keys(context)) variables[name] = toCelValue(context[name] ?? null)
  return variables
}

/** Returns the object with V8's stack trace setting; undefined if the setting is missing or read-only. */
function stackTraces(): { stackTraceLimit?: unknown } | undefined {
  const changeable = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')?.writable === true
  // The property was checked above.
  return changeable ? (Error as { stackTraceLimit?: unknown }) : undefined
}

/**
 * Runs a metered evaluation. In CEL, errors are ordinary values, but V8 captures a stack for each, at many times the
 * cost of a step. The evaluation is synchronous, so no other code sees the changed setting.
 */
function withMeter<T>(run: CelRun, meter: StepMeter, traces: ReturnType<typeof stackTraces>, evaluation: () => T): T {
  const outer = run.meter
  const limit = traces?.stackTraceLimit
  run.meter = meter
  if (traces !== undefined) traces.stackTraceLimit = 0
  try {
    return evaluation()
  } finally {
    run.meter = outer
    if (traces !== undefined) traces.stackTraceLimit = limit
  }
}

function attempt<T>(action: () => Result<T, EvaluationError>): Result<T, EvaluationError> {
  try {
    return action()
  } catch (error) {
    return err(thrownFailure(error))
  }
}

/** Maximum length of an error in characters, because it may quote a long message. */
const LONGEST_MESSAGE = 300

function outcomeOf(result: CelResult, expression: Expr): Result<boolean, EvaluationError> {
  if (typeof result === 'boolean') return ok(result)
  if (isCelError(result)) return err(errorOf(result, expression))
  return err({ kind: 'type_error', message: `the expression evaluates to ${celType(result).name}, not a boolean` })
}

function celFailure(message: string, limit?: LimitName): EvaluationError {
  return defined({ kind: 'cel_error' as const, message: cut(message, LONGEST_MESSAGE), limit })
}

/** Converts an unexpected exception from the library to an evaluation error. */
function thrownFailure(error: unknown): EvaluationError {
  if (isStackOverflow(error)) return celFailure('the expression is nested too deeply', 'celDepth')
  return celFailure(messageOf(error))
}

/** Classifies errors by message, because the library does not distinguish them in any other way. */
function errorOf(error: CelError, expression: Expr): EvaluationError {
  const { cause, message } = error
  if (isStackOverflow(cause)) return thrownFailure(cause)
  const unbound = /^unbound function: (.*)$/s.exec(message)
  if (unbound !== null)
    return { kind: 'unsupported_method', message: cut(`unknown function ${unbound[1]}`, LONGEST_MESSAGE) }
  if (/^(?:found no matching overload|type mismatch)/.test(message))
    return { kind: 'type_error', message: cut(message, LONGEST_MESSAGE) }
  if (message === 'unresolved attribute') return celFailure(unknownVariable(error.exprId, expression))
  // The library does not know the list length here and reports -1.
  return celFailure(message.replace(/ out of bounds \[0, -1\)$/, ' is out of bounds'))
}

function unknownVariable(id: bigint | undefined, expression: Expr): string {
  const pending = [expression]
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    if (expr.id === id && expr.exprKind.case === 'identExpr') return `unknown variable ${expr.exprKind.value.name}`
    pending.push(...partsOf(expr))
  }
  return 'an unknown variable'
}
