/**
 * The verdict types of [OATF SDK §2.19](https://oatf.io/sdk/core-types/) and
 * [OATF §9.3](https://oatf.io/specification/verdict-model/).
 */
import type { Diagnostic } from '@joust/source'
import type { AttackResult, IndicatorResult, Tier } from './enumerations.ts'

/** The evidence of a `matched` verdict. */
export interface Match {
  /** The resolved path in the message, with indices: `tools[2].description`. */
  readonly path: string
  /** The examined text, truncated around the span. */
  readonly value: string
  /** The matching span of `value`, for text operators. */
  readonly span?: { readonly start: number; readonly end: number }
  /** The number of characters before `value` in the whole text, if it was truncated. */
  readonly offset?: number
}

export interface IndicatorVerdict {
  readonly indicator_id: string
  readonly result: IndicatorResult
  readonly timestamp?: string
  /** The matched content, the reason for a skip, or the error. */
  readonly evidence?: string
  readonly source?: string
  readonly match?: Match
}

export interface EvaluationSummary {
  readonly matched: number
  readonly not_matched: number
  readonly error: number
  readonly skipped: number
}

export interface AttackVerdict {
  readonly attack_id?: string
  readonly result: AttackResult
  /** The highest tier of the matched indicators, if any has a tier. */
  readonly max_tier?: Tier
  readonly indicator_verdicts: readonly IndicatorVerdict[]
  readonly evaluation_summary: EvaluationSummary
  readonly timestamp?: string
  readonly source?: string
  /** The reason why there is no verdict, for example missing indicators. */
  readonly diagnostics?: readonly Diagnostic[]
}
