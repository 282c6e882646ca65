/** The types of a rule and of its row in the table. */
import type { Path } from '@joust/source'
import type { AgentCode, AgentDiagnostic } from '../model/diagnostic.ts'
import type { AgentWalk } from './walk.ts'

/** Overrides of the rule's row for one finding. */
interface ReportOptions {
  /** Reports the position of the key instead of the value. */
  readonly at?: 'key'
  /** Downgrades an error for a document that can still run. */
  readonly severity?: 'warning'
  /** Overrides the level of the row. */
  readonly level?: AgentDiagnostic['level']
  /** The suggested replacement. */
  readonly correction?: string | undefined
  /** The part of the text to replace. */
  readonly part?: string
}

/** Reports a finding. Its code, severity and rule come from the table. */
type Report = (path: Path, message: string, options?: ReportOptions) => void

/** Checks one agent and its direct sub-agents; pure, and independent of other rules. */
export type AgentRule = (walk: AgentWalk, report: Report) => void

/** A row of the table. */
export interface AgentRuleRow {
  /** The rule or decision of Agent Format: `R-10`, `P-03`, `OPEN-26`. */
  readonly rule: string
  readonly code: AgentCode
  readonly severity: 'error' | 'warning'
  /** Turns the warning into an error in strict mode. */
  readonly strict?: true
  readonly level?: AgentDiagnostic['level']
  /** Fields, without indices, that the rule requires; it is skipped if one of them was removed as invalid. */
  readonly needs?: readonly string[]
  /** The requirement, in one sentence. */
  readonly summary: string
  readonly check: AgentRule
}
