/** What the events of a runtime say about the agent under attack. */
import type { ApprovalAnswer, Approver, RunError, RunEvent } from '@joust/runtime'
import { cut, type Diagnostic } from '@joust/source'
import { diagnostic } from '../../model/diagnostics.ts'
import { arenaLimits } from '../../model/limits.ts'
import type { AskedApproval, Refusal } from '../../model/target.ts'
import type { AgentWiring } from './wiring.ts'

/** Listens to events. Servers that no actor plays are not part of the attack. */
export function watchAgent({ mcp_servers, remote_agents }: AgentWiring) {
  const refusals: Refusal[] = []
  const failures = new Set<string>()
  const cuts = new Map<string, Diagnostic>()
  const keepCut = (code: 'answer-cut' | 'result-cut', told: string) => cuts.set(told, diagnostic(code, told))
  let hasRun = false
  return {
    take(event: RunEvent) {
      hasRun ||= event.type === 'run-started'
      if (event.type === 'run-failed' && !isHarmless(event.error)) {
        if (event.error.code === 'answer_incomplete') keepCut('answer-cut', event.error.message)
        else failures.add(failureText(event.error))
      }
      // After an answer with calls the model is asked again, and how much a server samples is up to the server.
      if (event.type === 'model-answered' && event.step !== undefined && event.calls.length === 0) {
        const reason = cutBy(event.finish)
        if (reason !== undefined) keepCut('answer-cut', `an answer of ${event.model} ${reason}`)
      }
      if (event.type === 'warning' && event.code === 'observation_cut') keepCut('result-cut', event.message)
      if (event.type === 'answer-refused' && refusals.length < arenaLimits.refusals) {
        const { alias, operation, message } = event
        const actor = (event.peer === 'mcp' ? mcp_servers : remote_agents).get(alias)?.actor
        if (actor !== undefined) refusals.push({ actor, operation, message: cut(message, arenaLimits.refusalText) })
      }
    },
    /** Answers of actors that the agent's own clients refused. */
    refusals: (): readonly Refusal[] => refusals,
    /** Runs that failed, one sentence each, or that there was none. */
    failures: () => (hasRun ? [...failures] : ['nothing that the agent was sent became an input of it']),
    /** Answers that broke off, and results that the model did not get in full. */
    cuts: () => [...cuts.values()],
  }
}

/** A sub-agent may refuse what its parent hands it; at the root, nobody has read what was sent. Cancelling is ours. */
function isHarmless({ code, agent }: RunError): boolean {
  return code === 'cancelled' || (code === 'input_validation' && agent.length > 0)
}

/** A failed run in a sentence. */
export function failureText({ code, message, agent }: RunError): string {
  if (code === 'input_validation' && agent.length === 0) return `the agent does not take what it was sent: ${message}`
  return `the agent failed: ${code}: ${message}`
}

/** Finish reasons for a complete answer, of providers that use words of their own. */
const whole: ReadonlySet<string> = new Set(['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence'])

/** What broke off an answer without calls, as a clause; undefined when nothing did. */
function cutBy(finish: string): string | undefined {
  if (whole.has(finish)) return undefined
  if (finish === 'length') return 'was cut off at its token limit'
  if (finish === 'error') return 'broke off with an error'
  if (finish === 'content-filter') return 'was cut off by the filter of its provider'
  if (finish === 'tool-calls') return 'announced a tool call, but none came'
  return `does not say that it is complete (finish reason ${cut(finish, 40)})`
}

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
        if (asked.length < arenaLimits.approvals)
          asked.push({ request: cut(`${request.target}: ${request.message}`, arenaLimits.approvalText), approved })
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
