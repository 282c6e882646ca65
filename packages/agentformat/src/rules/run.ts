import { type Limits, sortByPosition, suggestion } from '@joust/source'
import type { Agent } from '../model/agent.ts'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { locate } from '../model/origin.ts'
import type { AgentRuleRow } from './rule.ts'
import { walkAgent } from './walk.ts'

interface RunRulesOptions {
  readonly strict?: boolean
  readonly limits?: Limits
  /** What was taken out of the document; checks that need it do not run. */
  readonly lost?: readonly string[] | undefined
}

/** Runs checks over one agent and returns every finding, sorted by position. */
export function runRules(
  rows: readonly AgentRuleRow[],
  agent: Agent,
  options: RunRulesOptions = {},
): AgentDiagnostic[] {
  const walk = walkAgent(agent, options.limits)
  const { lost = [] } = options
  const found: AgentDiagnostic[] = []
  for (const row of rows) {
    if (row.needs?.some((need) => lost.some((field) => field.startsWith(need) || need.startsWith(field)))) continue
    const usual = row.strict && options.strict ? 'error' : row.severity
    row.check(walk, (path, message, { at, severity = usual, level = row.level, meant, part } = {}) => {
      found.push({
        severity,
        code: row.code,
        message,
        rule: row.rule,
        ...suggestion(at ?? 'value', meant, part),
        ...(level === undefined ? {} : { level }),
        ...locate(agent.document, path, at),
      })
    })
  }
  return sortByPosition(found)
}
