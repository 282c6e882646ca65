/**
 * CEL ([OATF SDK §6.1](https://oatf.io/sdk/extension-points/)): conditions over messages, limited in steps and time. A
 * missing field is an error, never false.
 */
import { type CelValue, plan } from '@bufbuild/cel'
import { err, type Limits, ok, type Result, withLimits } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import type { CelContext, CelEvaluator, CelProgram } from '../model/evaluators.ts'
import { oatfLimits } from '../model/limits.ts'
import type { CelRun } from './cel-call.ts'
import { meteredEnvironment } from './cel-functions.ts'
import { celFailure, outcomeOf, thrownFailure } from './cel-outcome.ts'
import { rewriteCel } from './cel-rewrite.ts'
import { readCel } from './cel-syntax.ts'
import { toCelValue } from './cel-values.ts'
import { RegexCache } from './metered-regex.ts'
import { StepMeter } from './step-meter.ts'

/** Options of a CEL evaluator. */
export interface CelOptions {
  /** Limits on the work for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
  /**
   * The clock for the limit `celMilliseconds`.
   * @default the system clock
   */
  readonly now?: () => number
}

/** The CEL evaluator that ships with the SDK. */
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
          const result = spending(run, meter, traces, () => evaluatePlan(variablesOf(context)))
          // After a limit, a returned value is meaningless.
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

/** Without a prototype, so that `toString` is bound only if the context has it. */
function variablesOf(context: CelContext): { [name: string]: CelValue } {
  const variables: { [name: string]: CelValue } = Object.create(null)
  for (const name of Object.keys(context)) variables[name] = toCelValue(context[name] ?? null)
  return variables
}

/** A setting of V8; undefined if it is missing or read-only. */
function stackTraces(): { stackTraceLimit?: unknown } | undefined {
  const changeable = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')?.writable === true
  // The property has just been seen.
  return changeable ? (Error as { stackTraceLimit?: unknown }) : undefined
}

/**
 * Runs a metered evaluation. Errors are ordinary values in CEL, but V8 captures the stack for each, at many times the
 * cost of a step. The evaluation is synchronous, so no other code sees the changed setting.
 */
function spending<T>(run: CelRun, meter: StepMeter, traces: ReturnType<typeof stackTraces>, evaluation: () => T): T {
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
