import type { Path } from '@joust/source'
import type { AgentCode, AgentDiagnostic } from '../model/diagnostic.ts'
import type { AgentWalk } from './walk.ts'

interface ReportOptions {
  /** Reports the position of the key instead of the value. */
  readonly at?: 'key'
  /** Downgrades the error if the document can still run. */
  readonly severity?: 'warning'
  readonly level?: AgentDiagnostic['level']
  readonly correction?: string | undefined
  readonly part?: string
}

/** Reports a finding. The table provides its code, severity and rule. */
type Report = (path: Path, message: string, options?: ReportOptions) => void

/** Checks one agent and its direct sub-agents. Pure and independent of other rules. */
export type AgentRule = (walk: AgentWalk, report: Report) => void

/** A row of the rule table. */
export interface AgentRuleRow {
  /** A rule or decision of Agent Format, such as `R-10`, `P-03` or `OPEN-26`. */
  readonly rule: string
  readonly code: AgentCode
  readonly severity: 'error' | 'warning'
  /** Makes the warning an error in strict mode. */
  readonly strict?: true
  readonly level?: AgentDiagnostic['level']
  /** Fields that the rule needs, without indices. The rule is skipped if one of them was removed as invalid. */
  readonly needs?: readonly string[]
  /** The requirement, in one sentence. */
  readonly summary: string
  readonly check: AgentRule
}
