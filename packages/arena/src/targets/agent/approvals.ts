/** Approvals during an attack: answered by a rule, and kept. */
import type { ApprovalAnswer, Approver } from '@joust/runtime'
import { cut } from '@joust/source'
import { bounds } from '../../model/limits.ts'
import type { AskedApproval } from '../../model/target.ts'

/** Who answers: nobody approves anything, everything is approved, or a function decides. */
export type ApprovalRule = 'none' | 'all' | Approver

/** An approver, and what it was asked. */
export interface RecordedApprovals {
  readonly approve: Approver
  asked(): readonly AskedApproval[]
}

/** An approver that follows a rule and keeps what it was asked. */
export function recordApprovals(rule: ApprovalRule): RecordedApprovals {
  const asked: AskedApproval[] = []
  const decide = typeof rule === 'function' ? rule : () => rules[rule]
  return {
    asked: () => asked,
    async approve(request, signal) {
      const keep = (approved: boolean) => {
        if (asked.length < bounds.approvals)
          asked.push({ request: cut(`${request.target}: ${request.message}`, bounds.approvalText), approved })
      }
      try {
        const answer = await decide(request, signal)
        keep(answer?.approved === true)
        return answer
      } catch (thrown) {
        // The runtime takes it for a no.
        keep(false)
        throw thrown
      }
    },
  }
}

const rules: Readonly<Record<'none' | 'all', ApprovalAnswer>> = {
  none: { approved: false, reason: 'nothing is approved in this run' },
  all: { approved: true },
}
