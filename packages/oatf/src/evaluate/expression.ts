/** [OATF SDK §4.3](https://oatf.io/sdk/evaluation/): CEL expressions on a message. */
import {
  describeValue,
  err,
  isRecord,
  type Limits,
  messageOf,
  ok,
  type Result,
  setOwn,
  type Value,
  withLimits,
} from '@joust/source'
import type { ExpressionMatch } from '../model/document.ts'
import type { EvaluationError } from '../model/errors.ts'
import type { CelContext, CelEvaluator, CelProgram } from '../model/evaluators.ts'
import { depthFault } from '../primitives/dot-path.ts'
import { resolveSimplePath } from '../primitives/resolve-simple-path.ts'
import { isIgnoredPromise } from './ignored-promise.ts'

type ExpressionProgram = (message: Value) => Result<boolean, EvaluationError>

/**
 * Evaluates an expression. If there is no evaluator, the result is an error.
 *
 * @example
 * const matched = evaluateExpression({ cel: 'message.amount > 50' }, { amount: 80 }, createCelEvaluator())
 */
export function evaluateExpression(
  expression: ExpressionMatch,
  message: Value,
  cel?: CelEvaluator,
  limits?: Partial<Limits>,
): Result<boolean, EvaluationError> {
  if (cel === undefined) return err({ kind: 'unsupported_method', message: 'missing CEL evaluator' })
  const fault = faultOf(expression, limits)
  if (fault !== undefined) return err(fault)
  return attempt(() => asBoolean(checked(cel.evaluate(expression.cel, contextOf(expression, message, limits)))))
}

export function compileExpression(
  expression: ExpressionMatch,
  cel: CelEvaluator,
  limits?: Partial<Limits>,
): ExpressionProgram {
  const fault = faultOf(expression, limits)
  if (fault !== undefined) return () => err(fault)
  const compiled = attempt(() => checked<CelProgram | undefined>(cel.compile?.(expression.cel) ?? ok(undefined)))
  if (!compiled.ok) return () => compiled
  const run: CelProgram = compiled.value ?? ((context) => cel.evaluate(expression.cel, context))
  return (message) => attempt(() => asBoolean(checked(run(contextOf(expression, message, limits)))))
}

/** Checks an expression, because one built in memory may have any type. `parse` rejects such expressions. */
function faultOf(expression: ExpressionMatch, limits: Partial<Limits> | undefined): EvaluationError | undefined {
  if (!isRecord(expression) || typeof expression.cel !== 'string')
    return { kind: 'type_error', message: `${describeValue(expression)} is not a CEL expression` }
  for (const path of Object.values(expression.variables ?? {})) {
    const fault = typeof path === 'string' ? depthFault(path, withLimits(limits)) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Converts an exception to an error. A custom evaluator that throws violates its contract. */
function attempt<T>(run: () => Result<T, EvaluationError>): Result<T, EvaluationError> {
  try {
    return run()
  } catch (error) {
    return err({ kind: 'cel_error', message: messageOf(error) })
  }
}

/** Checks the result of a custom evaluator, which may return any value. */
function checked<T>(answer: Result<T, EvaluationError>): Result<T, EvaluationError> {
  const received: unknown = answer
  if (isIgnoredPromise(received))
    return err({
      kind: 'cel_error',
      message: 'the CEL evaluator returned a promise; the evaluator must be synchronous',
    })
  const isResult = isRecord(received) && (received.ok === true || (received.ok === false && isRecord(received.error)))
  if (isResult) return answer
  return err({
    kind: 'cel_error',
    message: `the CEL evaluator returned ${describeValue(received)} instead of a result`,
  })
}

/** Creates the context: `message`, and for each variable the value at the variable's path, or null if it is missing. */
function contextOf(expression: ExpressionMatch, message: Value, limits: Partial<Limits> | undefined): CelContext {
  const context: Record<string, Value> = { message }
  for (const [name, path] of Object.entries(expression.variables ?? {})) {
    const value = typeof path === 'string' ? resolveSimplePath(path, message, limits && { limits }) : undefined
    setOwn(context, name, value ?? null)
  }
  return context
}

function asBoolean(result: Result<Value, EvaluationError>): Result<boolean, EvaluationError> {
  if (!result.ok) return result
  if (typeof result.value === 'boolean') return ok(result.value)
  return err({ kind: 'type_error', message: 'the expression does not evaluate to a boolean' })
}
