/** Whether a run says nothing because of something outside the agent, so that another try may say more. */
import type { AttackRun } from '../run.ts'

/** What can fail without the agent having done anything. */
const FAILURES: ReadonlySet<string> = new Set(['target-failed', 'agent-failed', 'actor-failed', 'connection-lost'])

/** A provider that is busy or broken, or a connection that is gone: statuses and system codes, as messages tell them. */
const OUTSIDE =
  /\b(?:status|HTTP(?:\/[\d.]+)?|answered(?: with)?)[ :]*(?:408|425|429|5\d\d)\b|\bECONN(?:RESET|REFUSED|ABORTED)\b|\bE(?:PIPE|TIMEDOUT|AI_AGAIN)\b|\bUND_ERR_\w+|socket hang up|fetch failed|no answer within/i

/** Whether a run is inconclusive for such a reason. A run that was stopped is not. */
export function isOutside({
  outcome,
  ended,
  diagnostics,
}: Pick<AttackRun, 'outcome' | 'ended' | 'diagnostics'>): boolean {
  if (outcome !== 'inconclusive' || ended === 'interrupted') return false
  return diagnostics.some(({ code, message }) => FAILURES.has(code) && OUTSIDE.test(message))
}
