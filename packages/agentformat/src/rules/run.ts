import { type Limits, sortByPosition, suggestion } from '@joust/source'
import type { Agent } from '../model/agent.ts'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { locate } from '../model/origin.ts'
import type { AgentRuleRow } from './rule.ts'
import { walkAgent } from './walk.ts'

interface RunRulesOptions {
  readonly strict?: boolean
  readonly limits?: Limits
  /** Fields removed from the document as invalid. Rules that need one of them are skipped. */
  readonly lost?: readonly string[] | undefined
}

/** Runs rules on one agent and returns its diagnostics, sorted by position. */
export function runRules(
  rows: readonly AgentRuleRow[],
  agent: Agent,
  options: RunRulesOptions = {},
): AgentDiagnostic[] {
  const walk = walkAgent(agent, options.limits)
  const { lost = [] } = options
  const diagnostics: AgentDiagnostic[] = []
  for (const row of rows) {
    if (row.needs?.some((need) => lost.some((field) => field.startsWith(need) || need.startsWith(field)))) continue
    const usual = row.strict && options.strict ? 'error' : row.severity
    row.check(walk, (path, message, { at, severity = usual, level = row.level, correction, part } = {}) => {
      diagnostics.push({
        severity,
        code: row.code,
        message,
        rule: row.rule,
        ...suggestion(at ?? 'value', correction, part),
        ...(level === undefined ? {} : { level }),
        ...locate(agent.document, path, at),
      })
    })
  }
  return sortByPosition(diagnostics)
}
