/** Converts the outcome of the CEL library to a `Result`. */
import { type CelError, type CelResult, celType, isCelError } from '@bufbuild/cel'
import { cut, defined, err, type LimitName, messageOf, ok, type Result } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import { type Expr, partsOf } from './cel-syntax.ts'
import { isStackOverflow } from './step-meter.ts'

/** An error may quote the message, which may be long. */
const LONGEST_MESSAGE = 300

/** A boolean, or an error for any other outcome. */
export function outcomeOf(result: CelResult, expression: Expr): Result<boolean, EvaluationError> {
  if (typeof result === 'boolean') return ok(result)
  if (isCelError(result)) return err(errorOf(result, expression))
  return err({ kind: 'type_error', message: `the expression evaluates to ${celType(result).name}, not a boolean` })
}

/** An error of kind `cel_error`. */
export function celFailure(message: string, limit?: LimitName): EvaluationError {
  return defined({ kind: 'cel_error' as const, message: cut(message, LONGEST_MESSAGE), limit })
}

/** Any unexpected exception of the library is an error of the expression. */
export function thrownFailure(error: unknown): EvaluationError {
  if (isStackOverflow(error)) return celFailure('the expression nests too deeply', 'celDepth')
  return celFailure(messageOf(error))
}

/** The library distinguishes its errors only by their text. */
function errorOf(error: CelError, expression: Expr): EvaluationError {
  const { cause, message } = error
  if (isStackOverflow(cause)) return thrownFailure(cause)
  const unbound = /^unbound function: (.*)$/s.exec(message)
  if (unbound !== null)
    return { kind: 'unsupported_method', message: cut(`unknown function ${unbound[1]}`, LONGEST_MESSAGE) }
  if (/^(?:found no matching overload|type mismatch)/.test(message))
    return { kind: 'type_error', message: cut(message, LONGEST_MESSAGE) }
  if (message === 'unresolved attribute') return celFailure(unknownVariable(error.exprId, expression))
  // The library does not know the length of a list here and says -1.
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
