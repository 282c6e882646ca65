import type { Suggestion } from '../model/diagnostic.ts'
import type { Result } from '../model/result.ts'
import { kindOf } from '../model/value.ts'
import { codeFrames } from './code-frame.ts'
import { messageWithHint } from './suggest.ts'

/** Thrown by `unwrap`. The message lists all findings, with code frames if the text is known. */
export class InvalidInput<E = unknown> extends Error {
  override readonly name = 'InvalidInput'
  /** The error of the result. */
  readonly error: E

  constructor(error: E, text?: string, file?: string) {
    super(describe(error, text, file))
    this.error = error
  }
}

/**
 * Returns the value of a result, or throws `InvalidInput`.
 *
 * @example
 * const attack = unwrap(load(text), text)
 */
export function unwrap<T, E>(result: Result<T, E>, text?: string, file?: string): T {
  requireResult(result)
  if (result.ok) return result.value
  throw new InvalidInput(result.error, text, file)
}

/** Throws for a value that is not a result. Untyped callers may pass any value, often the promise of a result. */
function requireResult(result: unknown): void {
  if (typeof result === 'object' && result !== null && 'ok' in result && typeof result.ok === 'boolean') return
  const isPromise = typeof result === 'object' && result !== null && 'then' in result
  throw new TypeError(`unwrap expects a result, got ${isPromise ? 'a promise; await it first' : kindOf(result)}`)
}

function describe(error: unknown, text: string | undefined, name: string | undefined): string {
  const frames = codeFrames(text ?? '')
  const findings = Array.isArray(error) && error.length > 0 ? error : [error]
  const frameOf = ({ file, ...at }: Finding) =>
    text === undefined || (file !== undefined && file !== name) ? '' : frames(at)
  return findings.map((finding) => describeOne(finding, frameOf)).join('\n\n')
}

function describeOne(finding: unknown, frameOf: (finding: Finding) => string): string {
  if (typeof finding !== 'object' || finding === null) return String(finding)
  const { message: text = 'invalid input', suggestion, code, file, line, column, end_column, path }: Finding = finding
  const message = messageWithHint({ message: text, ...(suggestion && { suggestion }) })
  const position = line === undefined ? path : `${line}:${column ?? 1}`
  const place = [file, position].filter((part) => part !== undefined && part !== '').join(':')
  const head = [place, code].filter((part) => part !== undefined && part !== '').join(' ')
  const frame =
    line === undefined
      ? ''
      : frameOf({ line, ...(file && { file }), ...(column && { column }), ...(end_column && { end_column }) })
  return `${head === '' ? '' : `${head}: `}${message}${frame === '' ? '' : `\n${frame}`}`
}

interface Finding {
  readonly message?: string
  readonly code?: string
  readonly path?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly end_column?: number
  readonly suggestion?: Suggestion
}
