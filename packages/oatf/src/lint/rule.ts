import type { Report } from '../rules/rule.ts'
import type { LintContext } from './context.ts'

/** A check beyond conformance: pure, independent of all others, never throws. Silence is better than a false alarm. */
export type LintRule = (context: LintContext, report: Report) => void

/** What is known about a lint rule: one row of the table. */
export interface LintRow {
  readonly code: string
  /** The clause that makes it matter. */
  readonly section: string
  /** One sentence: what should hold. */
  readonly summary: string
  readonly check: LintRule
}
