/** CEL (SDK §6.1): conditions over messages, bounded in steps, missing fields are errors. */
import { isCelError, isCelList, isCelMap, plan } from '@bufbuild/cel'
import { defaultLimits, err, type LimitName, type Limits, ok, type Result, withLimits } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import type { CelContext, CelEvaluator, CelProgram } from '../model/evaluators.ts'
import { Budget } from './budget.ts'
import type { CelRun } from './cel-call.ts'
import { meteredEnvironment } from './cel-functions.ts'
import { rewriteCel } from './cel-rewrite.ts'
import { readCel } from './cel-syntax.ts'
import { toCelValue } from './cel-values.ts'
import { RegexCache } from './metered-regex.ts'

/** What a CEL evaluator may be told. */
export interface CelOptions {
  readonly limits?: Partial<Limits>
  /** The clock behind the limit `celMilliseconds`; the system's by default. */
  readonly now?: () => number
}

/** How many expressions `evaluate` remembers. */
const REMEMBERED = 64
/** An error may quote the message, which may be long. */
const LONGEST_MESSAGE = 300

/** What is wrong with the text of an expression (V-014), or undefined. */
export function celSyntaxError(expression: string, limits: Limits = defaultLimits): string | undefined {
  const read = readCel(expression, limits)
  return read.ok ? undefined : read.error.message
}

/** The CEL evaluator that ships with the SDK. */
export function createCelEvaluator(options: CelOptions = {}): CelEvaluator {
  const limits = withLimits(options.limits)
  const now = options.now ?? Date.now
  const newBudget = () => new Budget(limits, 'celSteps', { limit: 'celMilliseconds', now })
  const run: CelRun = { budget: newBudget(), regexes: new RegexCache(limits) }
  const environment = meteredEnvironment(run)
  const remembered = new Map<string, Result<CelProgram, EvaluationError>>()

  const compile = (expression: string): Result<CelProgram, EvaluationError> => {
    const read = readCel(expression, limits)
    if (!read.ok) return err(celError(read.error.message, read.error.limit))
    return attempt(() => {
      rewriteCel(read.value)
      const planned = plan(environment, read.value)
      return ok((context: CelContext) => {
        run.budget = newBudget()
        const { budget } = run
        return attempt(() => {
          const result = withoutStackTraces(() => planned(bindings(context)))
          return budget.hit === undefined ? outcome(result) : err(celError(budget.hit.message, budget.hit.limit))
        })
      })
    })
  }

  const evaluate = (expression: string, context: CelContext): ReturnType<CelProgram> => {
    const program = remembered.get(expression) ?? compile(expression)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(expression, program)
    return program.ok ? program.value(context) : program
  }
  return { compile, evaluate }
}

/** Variables without a prototype: `toString` is a variable like any other, and not there. */
function bindings(context: CelContext): { [name: string]: ReturnType<typeof toCelValue> } {
  const variables: { [name: string]: ReturnType<typeof toCelValue> } = Object.create(null)
  for (const name of Object.keys(context)) variables[name] = toCelValue(context[name] ?? null)
  return variables
}

function outcome(result: unknown): Result<boolean, EvaluationError> {
  if (typeof result === 'boolean') return ok(result)
  if (!isCelError(result)) {
    return err({ kind: 'type_error', message: `the expression gives ${typeName(result)}, not a boolean` })
  }
  return err(errorOf(result.message, result.cause))
}

/** The library's errors differ in their text only. */
function errorOf(message: string, cause: unknown): EvaluationError {
  if (cause instanceof RangeError) return celError(`the evaluation nests too deeply: ${message}`, 'celDepth')
  const unbound = /^unbound function: (.*)$/s.exec(message)
  if (unbound !== null) return { kind: 'unsupported_method', message: cut(`there is no function ${unbound[1]}`) }
  if (/^found no matching overload|^type mismatch/.test(message)) return { kind: 'type_error', message: cut(message) }
  return celError(message)
}

function celError(message: string, limit?: LimitName): EvaluationError {
  return { kind: 'cel_error', message: cut(message), ...(limit === undefined ? {} : { limit }) }
}

function cut(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'an int'
  if (typeof value === 'number') return 'a double'
  if (typeof value === 'string') return 'a string'
  if (isCelList(value)) return 'a list'
  if (isCelMap(value)) return 'a map'
  return value instanceof Uint8Array ? 'bytes' : 'another type'
}

/** Whatever the library throws is a fault of the expression. */
function attempt<T>(action: () => Result<T, EvaluationError>): Result<T, EvaluationError> {
  try {
    return action()
  } catch (error) {
    return err(errorOf(error instanceof Error ? error.message : String(error), error))
  }
}

/**
 * Errors are ordinary values in CEL, but V8 writes down the stack for each, at many times the price of a step. The
 * evaluation is synchronous, so nobody else meets the changed setting.
 */
function withoutStackTraces<T>(action: () => T): T {
  const usual: unknown = Reflect.get(Error, 'stackTraceLimit')
  if (usual === undefined) return action()
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return action()
  } finally {
    Reflect.set(Error, 'stackTraceLimit', usual)
  }
}
