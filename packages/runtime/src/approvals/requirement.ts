/** Whether a call needs an approval, and which rules say so (A-01 to A-09, OPEN-33, OPEN-39, OPEN-40). */
import { type Conditions, type Lookup, matchCondition, parsePathExpression, resolvePath } from '@joust/agentformat'
import { own, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { CallApproval } from '../model/callable.ts'

/** What is about to be done, and what the document says about it. */
export interface Intent extends CallApproval {
  /** The name of the tool, agent or skill, as the document has it. */
  readonly target: string
  /** The other names it is known by. */
  readonly names: readonly string[]
  /** The arguments of the call, or the input of the sub-agent. */
  readonly args: Value
}

/** A rule that asks. */
export interface Requirement {
  readonly reason: string
  readonly template?: string | undefined
}

/** The rules that ask for an approval; when there are none, none is needed. Governance only adds. */
export function requirementsOf(intent: Intent, context: AgentContext): Requirement[] {
  const document = documentRequirement(intent, context)
  return [...(document === undefined ? [] : [document]), ...governanceRequirements(intent, context)]
}

function documentRequirement({ approval, over, args }: Intent, context: AgentContext): Requirement | undefined {
  if (approval === undefined || approval === false) return undefined
  if (approval === true) return { reason: 'the document asks for approval' }
  const reason = conditionReason(approval.condition, over === 'args' ? argument(args) : ofInput(context.input), context)
  return reason === undefined ? undefined : { reason, template: approval.message_template }
}

function governanceRequirements({ kind, target, names, args }: Intent, context: AgentContext): Requirement[] {
  return context.governance.policies.flatMap(({ id, approvals = [] }) =>
    approvals.flatMap((rule) => {
      if (rule.kinds !== undefined && !rule.kinds.includes(kind)) return []
      if (rule.targets !== undefined && ![target, ...names].some((name) => rule.targets?.includes(name))) return []
      const condition = conditionReason(rule.condition, argument(args), context)
      if (condition === undefined) return []
      return [{ reason: `the policy ${id}: ${condition}`, template: rule.message_template }]
    }),
  )
}

function conditionReason(condition: Conditions | undefined, lookup: Lookup, context: AgentContext): string | undefined {
  if (condition === undefined) return 'always asks for approval'
  const outcome = matchCondition(condition, lookup)
  if (outcome.matched) return 'its approval condition holds'
  // OPEN-33: a gate must not open because an argument was left out or quoted.
  if (outcome.decided || context.options.approvalOnUnevaluable === 'no-match') return undefined
  const [first] = outcome.unevaluable
  return `its approval condition cannot be evaluated: ${first?.key}: ${first?.reason}`
}

/** OPEN-39: a key is one argument name; a dot has no meaning. */
function argument(args: Value): Lookup {
  return (key) => {
    const value = own(args, key)
    return value === undefined ? { found: false } : { found: true, value }
  }
}

/** a key is a path into the input of the agent that delegates. */
function ofInput(input: Value): Lookup {
  return (key) => {
    const parsed = parsePathExpression(key)
    if (!parsed.ok || parsed.value.source !== 'parent' || parsed.value.direction !== 'input') return { found: false }
    const outcome = resolvePath(parsed.value, input, true)
    return outcome.kind === 'found' ? { found: true, value: outcome.value } : { found: false }
  }
}
