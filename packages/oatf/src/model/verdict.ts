/** The verdict types of SDK §2.19 and §9.3. */
import type { Diagnostic } from '@joust/source'
import type { AttackResult, IndicatorResult, Tier } from './enumerations.ts'

/** What matched, and where: the proof behind a `matched`. */
export interface Match {
  /** The resolved path in the message, with indices: `tools[2].description`. */
  readonly path: string
  /** The text that was examined, cut to a bound around the span. */
  readonly value: string
  /** Where in `value` the condition holds, when it holds for a stretch of text. */
  readonly span?: { readonly start: number; readonly end: number }
  /** How many characters of the whole text come before `value`, when it was cut. */
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
  /** The highest tier among the matched indicators, when one of them has a tier. */
  readonly max_tier?: Tier
  readonly indicator_verdicts: readonly IndicatorVerdict[]
  readonly evaluation_summary: EvaluationSummary
  readonly timestamp?: string
  readonly source?: string
  /** Why no verdict could be reached, for example that there are no indicators. */
  readonly diagnostics?: readonly Diagnostic[]
}
