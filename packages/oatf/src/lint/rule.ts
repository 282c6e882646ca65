import type { Listed, Report, RuleText } from '../rules/rule.ts'
import type { LintContext } from './context.ts'

/**
 * A rule beyond conformance. Its check is pure, independent of all others, and never throws; silence is better than a
 * false alarm. It is an error where the document cannot do what it says, a warning where it may not.
 */
export interface LintRule extends RuleText {
  readonly check: (context: LintContext, report: Report) => void
}

/** One row of the table. */
export type LintRow = Listed & LintRule
