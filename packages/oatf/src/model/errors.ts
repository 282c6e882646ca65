/** The error types of SDK §7: plain objects, never thrown. */
import type { Diagnostic, LimitName } from '@joust/source'
import type { EvaluationErrorKind, GenerationErrorKind, ParseErrorKind } from './enumerations.ts'

/** §7.1. `code` is the pre-empted rule where there is one, otherwise the kind. */
export interface ParseError extends Diagnostic {
  readonly severity: 'error'
  readonly kind: ParseErrorKind
  /** The rule that this error pre-empts, for example `V-005`. */
  readonly rule?: string
  /** The bound that was hit, where one was. */
  readonly limit?: LimitName
}

/** §7.2 */
export interface ValidationError extends Diagnostic {
  readonly severity: 'error'
  readonly rule: string
  readonly spec_ref: string
  readonly path: string
}

/** §7.5 */
export type OatfError = ParseError | ValidationError

/** §3.2 */
export interface ValidationResult {
  readonly errors: readonly ValidationError[]
  readonly warnings: readonly Diagnostic[]
}

/** §7.3. `limit` names the bound that was hit, where one was. */
export interface EvaluationError {
  readonly kind: EvaluationErrorKind
  readonly message: string
  readonly indicator_id?: string
  readonly limit?: LimitName
}

/** §7.3a, for the providers that tools bring. */
export interface GenerationError {
  readonly kind: GenerationErrorKind
  readonly message: string
  readonly phase_name?: string
  readonly prompt_preview?: string
}
