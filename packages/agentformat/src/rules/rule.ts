import type { Path } from '@joust/source'
import type { AgentCode, AgentDiagnostic } from '../model/diagnostic.ts'
import type { AgentWalk } from './walk.ts'

/** How a finding differs from what its row says. */
interface ReportOptions {
  /** Point at the key rather than at the value. */
  readonly at?: 'key'
  /** Not an error after all: the document can still run. */
  readonly severity?: 'warning'
  /** Louder or quieter than usual. */
  readonly level?: AgentDiagnostic['level']
  readonly meant?: string | undefined
  /** The part of the text that it would replace. */
  readonly part?: string
}

/** Takes a finding. Code, severity and rule live in the table, not in the check. */
type Report = (path: Path, message: string, options?: ReportOptions) => void

/** A check of one agent and its direct sub-agents: pure, independent of all others. */
export type AgentRule = (walk: AgentWalk, report: Report) => void

/** What is known about a check: one row of the table. */
export interface AgentRuleRow {
  /** The rule or decision: `R-10`, `P-03`, `OPEN-26`. */
  readonly rule: string
  readonly code: AgentCode
  readonly severity: 'error' | 'warning'
  /** A warning that strict mode makes an error. */
  readonly strict?: true
  readonly level?: AgentDiagnostic['level']
  /** Where it takes what is not there for a fault, as fields without indices. */
  readonly needs?: readonly string[]
  /** One sentence: what must hold. */
  readonly summary: string
  readonly check: AgentRule
}
