import type { Path } from '@joust/source'
import type { Walk } from './walk.ts'

/** How a finding differs from the usual "the value at this path". */
export interface ReportOptions {
  /** Point at the key, or at an offset of the text, rather than at the value. */
  readonly at?: 'key' | number
  /** The path as it is reported, where that is not the path that is pointed at. */
  readonly spelled?: string
  /** What was probably meant in the place that is pointed at. */
  readonly meant?: string | undefined
  /** The part of the text for which it was meant. */
  readonly part?: string
}

/** Takes a finding. Code, level and clause live in the table, not in the rule. */
export type Report = (path: Path, message: string, options?: ReportOptions) => void

/** A check: pure, independent of all others, never throws, whatever the document is made of. */
export type Rule = (walk: Walk, report: Report) => void

/** What is known about a rule: one row of the table. */
export interface RuleRow {
  readonly code: string
  readonly level: 'error' | 'warning'
  /** The clause of the specification. */
  readonly section: string
  /** One sentence: what must hold. */
  readonly summary: string
  readonly check: Rule
}
