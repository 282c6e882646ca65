/** Approval requests (decision 0019, OPEN-42): one per call. Without an approver, the call is denied. */
import { abortable } from '@joust/io'
import { cloneValue, cut, defined, messageOf, printable, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { ApprovalAnswer, ApprovalRequest } from '../model/approval.ts'
import { RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import { lookUp, textOf } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import { type Intent, type Requirement, requirementsOf } from './requirement.ts'

/** Requests approval if a rule requires it. Throws `approval_denied` or `approval_unavailable`. */
export async function requireApproval(intent: Intent, context: AgentContext): Promise<void> {
  const requirements = requirementsOf(intent, context)
  if (requirements.length > 0) await askApproval(intent, requirements, context)
}

/** Requests approval unconditionally. Throws the same errors as {@link requireApproval}. */
export async function askApproval(
  intent: Intent,
  requirements: readonly Requirement[],
  context: AgentContext,
): Promise<void> {
  const { kind, target, args } = intent
  const { id, name } = context.agent.document.metadata
  const message = requestMessage(intent, requirements, context)
  const reasons = requirements.map((requirement) => requirement.reason)
  const agent = { id, name, path: context.path }
  // A copy, so that an approver cannot change the arguments of the call.
  const request = cloneValue({ kind, run: context.run, agent, target, args, message, reasons })
  // Without the run id, because a resumed run has a different id and must find the same request.
  const { run: _, ...question } = request
  const act = () => ask(request, context)
  const { approved, reason, unavailable } = await context.inTurn(context.signal, async () => {
    context.emit({ type: 'approval-asked', kind, target, message, args, reasons })
    const answer = await journaled(context.journal, { kind: 'approval', request: question, act })
    const { approved, reason } = answer
    context.emit(defined({ type: 'approval-answered' as const, kind, target, approved, reason }))
    return answer
  })
  if (approved) return
  if (unavailable) context.warn('approval_unavailable', `${target} was refused: ${reason}`)
  const code = unavailable ? 'approval_unavailable' : 'approval_denied'
  const text = `${target} was not approved${reason === undefined ? '' : `: ${reason}`}`
  throw new RunFailure({ code, message: text, agent: context.path, details: { kind, target } })
}

type Answer = ApprovalAnswer & { readonly unavailable: boolean }

async function ask(request: ApprovalRequest, context: AgentContext): Promise<Answer> {
  const { approve } = context.options
  if (approve === undefined) return { approved: false, reason: 'no approver is configured', unavailable: true }
  try {
    const answer = await abortable(context.signal, () => approve(request, context.signal))
    const approved = answer?.approved === true
    const reason = typeof answer?.reason === 'string' ? { reason: answer.reason } : {}
    return { approved, ...reason, unavailable: false }
  } catch (thrown) {
    if (context.signal.aborted) throw thrown
    return { approved: false, reason: messageOf(thrown), unavailable: true }
  }
}

function requestMessage(
  { kind, target, args }: Intent,
  requirements: readonly Requirement[],
  context: AgentContext,
): string {
  const { id, name } = context.agent.document.metadata
  const delegation = kind === 'agent' || kind === 'remote_agent'
  const variables: MessageVariables = {
    agent_id: id,
    agent_name: name,
    ...(delegation ? { agent_alias: target, input: args } : { tool_name: target, tool_args: args }),
  }
  const templates = requirements.flatMap(({ template }) => (template === undefined ? [] : [template]))
  if (templates.length > 0) return templates.map((template) => fillTemplate(template, variables)).join('\n')
  return `${shown(name)} wants to ${delegation ? 'delegate to' : 'call'} ${shown(target)} with ${shown(args)}`
}

interface MessageVariables {
  readonly tool_name?: string
  readonly tool_args?: Value
  readonly agent_id: string
  readonly agent_name: string
  readonly agent_alias?: string
  readonly input?: Value
}

/** Fills in an approval message template (OPEN-41). Missing values are marked as missing. */
export function fillTemplate(template: string, variables: MessageVariables): string {
  return template.replaceAll(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const value = lookUp(name.trim(), { ...variables })
    return value === undefined ? `[missing: ${printable(name.trim())}]` : shown(value)
  })
}

/** Formats an untrusted value on one line: truncated, with invisible characters escaped. */
export function shown(value: Value): string {
  return printable(cut(textOf(value), runtimeLimits.approvalCharacters))
}
