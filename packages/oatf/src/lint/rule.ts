import type { Listed, Report, RuleText } from '../rules/rule.ts'
import type { LintContext } from './context.ts'

/**
 * A rule beyond conformance. Its check is pure, independent of other rules, and never throws. False positives are worse
 * than false negatives. An error means that the attack cannot work as written, a warning that it may not.
 */
export interface LintRule extends RuleText {
  readonly check: (context: LintContext, report: Report) => void
}

export type LintRow = Listed & LintRule
