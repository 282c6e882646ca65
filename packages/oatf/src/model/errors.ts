/** The error types of [OATF SDK §7](https://oatf.io/sdk/diagnostics/): plain objects, never thrown. */
import type { Diagnostic, LimitName } from '@joust/source'
import type { EvaluationErrorKind, GenerationErrorKind, ParseErrorKind } from './enumerations.ts'

/** An error in structure or syntax (OATF SDK §7.1). `code` is the pre-empted rule, or else the kind. */
export interface ParseError extends Diagnostic {
  readonly severity: 'error'
  readonly kind: ParseErrorKind
  /** The rule that this error pre-empts, for example `V-005`. */
  readonly rule?: string
  /** The exceeded limit, if any. */
  readonly limit?: LimitName
}

/** A violation of a rule (OATF SDK §7.2). */
export interface ValidationError extends Diagnostic {
  readonly severity: 'error'
  readonly rule: string
  readonly spec_ref: string
  readonly path: string
}

/** An error from any stage (OATF SDK §7.5). */
export type OatfError = ParseError | ValidationError

/** The errors and warnings of a document (OATF SDK §3.2). */
export interface ValidationResult {
  readonly errors: readonly ValidationError[]
  readonly warnings: readonly Diagnostic[]
}

/** An error during evaluation (OATF SDK §7.3). `limit` is the exceeded limit, if any. */
export interface EvaluationError {
  readonly kind: EvaluationErrorKind
  readonly message: string
  readonly indicator_id?: string
  readonly limit?: LimitName
}

/** An error from a `GenerationProvider` (OATF SDK §7.3a). */
export interface GenerationError {
  readonly kind: GenerationErrorKind
  readonly message: string
  readonly phase_name?: string
  readonly prompt_preview?: string
}
