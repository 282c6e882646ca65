/** Collects failures, truncations and rejected responses from runtime events. */

import type { AskedApproval } from '@joust/arena'
import { diagnostic, type Refusal } from '@joust/results'
import type { ApprovalAnswer, Approver, RunError, RunEvent } from '@joust/runtime'
import { cut, type Diagnostic } from '@joust/source'
import { targetLimits } from '../limits.ts'
import type { AgentWiring } from './wiring.ts'

/** Watches an agent's events. Servers that are not actors are ignored. */
export function watchAgent({ mcp_servers, remote_agents }: AgentWiring) {
  const refusals: Refusal[] = []
  const failures = new Set<string>()
  const cuts = new Map<string, Diagnostic>()
  const addCut = (code: 'answer-cut' | 'result-cut', message: string) => cuts.set(message, diagnostic(code, message))
  let hasRun = false
  return {
    take(event: RunEvent) {
      hasRun ||= event.type === 'run-started'
      if (event.type === 'run-failed' && !isHarmless(event.error)) {
        if (event.error.code === 'answer_incomplete') addCut('answer-cut', event.error.message)
        else failures.add(failureText(event.error))
      }
      // After an answer with calls, the model continues. The length of sampling answers is up to the server.
      if (event.type === 'model-answered' && event.step !== undefined && event.calls.length === 0) {
        const reason = cutBy(event.finish)
        if (reason !== undefined) addCut('answer-cut', `an answer from ${event.model} ${reason}`)
      }
      if (event.type === 'warning' && event.code === 'observation_cut') addCut('result-cut', event.message)
      if (event.type === 'answer-refused' && refusals.length < targetLimits.refusals) {
        const { alias, operation, message } = event
        const actor = (event.peer === 'mcp' ? mcp_servers : remote_agents).get(alias)?.actor
        if (actor !== undefined) refusals.push({ actor, operation, message: cut(message, targetLimits.refusalText) })
      }
    },
    /** Responses from actors that the agent's clients rejected. */
    refusals: (): readonly Refusal[] => refusals,
    /** Descriptions of failed runs, one sentence each, or a sentence that states that there was no run. */
    failures: () => (hasRun ? [...failures] : ['the agent was never run']),
    cuts: () => [...cuts.values()],
  }
}

/** True for cancellation, and for input rejected by a sub-agent. Input rejected by the root agent was not delivered. */
function isHarmless({ code, agent }: RunError): boolean {
  return code === 'cancelled' || (code === 'input_validation' && agent.length > 0)
}

export function failureText({ code, message, agent }: RunError): string {
  if (code === 'input_validation' && agent.length === 0) return `the agent rejected its input: ${message}`
  return `the agent failed: ${code}: ${message}`
}

/** Finish reasons of complete answers, as spelled by various providers. */
const complete: ReadonlySet<string> = new Set(['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence'])

/** Returns a clause that states why an answer without calls is incomplete; undefined if the answer is complete. */
function cutBy(finish: string): string | undefined {
  if (complete.has(finish)) return undefined
  if (finish === 'length') return 'was truncated at the token limit'
  if (finish === 'error') return 'ended with an error'
  if (finish === 'content-filter') return "was truncated by the provider's filter"
  if (finish === 'tool-calls') return 'announced a tool call but did not make it'
  return `may be incomplete (finish reason ${cut(finish, 40)})`
}

/** The requests to approve: none, all, or those that a function approves. */
export type ApprovalRule = 'none' | 'all' | Approver

export interface RecordedApprovals {
  readonly approve: Approver
  requests(): readonly AskedApproval[]
}

export function recordApprovals(rule: ApprovalRule): RecordedApprovals {
  const requests: AskedApproval[] = []
  const decide = typeof rule === 'function' ? rule : () => rules[rule]
  return {
    requests: () => requests,
    async approve(request, signal) {
      const keep = (approved: boolean) => {
        if (requests.length < targetLimits.approvals)
          requests.push({ request: cut(`${request.target}: ${request.message}`, targetLimits.approvalText), approved })
      }
      try {
        const answer = await decide(request, signal)
        keep(answer?.approved === true)
        return answer
      } catch (thrown) {
        // The runtime treats exceptions as denials.
        keep(false)
        throw thrown
      }
    },
  }
}

const rules: Readonly<Record<'none' | 'all', ApprovalAnswer>> = {
  none: { approved: false, reason: 'approvals are denied in this run' },
  all: { approved: true },
}
