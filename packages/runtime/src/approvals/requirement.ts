/** Rules that require approval for a call (decision 0019, A-01 to A-09, OPEN-33, OPEN-39, OPEN-40). */
import {
  type ActionSpace,
  type Approval,
  type Conditions,
  type Lookup,
  matchCondition,
  parsePathExpression,
  resolvePath,
} from '@joust/agentformat'
import { own, type Path, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { CallApproval } from '../model/callable.ts'
import type { ApprovalKind } from '../model/events.ts'
import type { GovernanceApproval, GovernancePolicy } from '../model/governance.ts'

/** A planned call, with the approval settings of the document. */
export interface Intent extends CallApproval {
  /** Name of the tool, agent or skill in the document. */
  readonly target: string
  readonly names: readonly string[]
  /** Call arguments, or the input of a sub-agent. */
  readonly args: Value
}

export interface Requirement {
  readonly reason: string
  readonly template?: string | undefined
}

/** Returns calls for which the agent file always requires approval. */
export function alwaysApproved(space: ActionSpace): { readonly target: string; readonly path: Path }[] {
  const { local_tools = [], local_agents = [], mcp_servers = [], remote_agents = [] } = space
  const entries = (section: keyof ActionSpace, list: readonly Approvable[]) =>
    list.flatMap(({ alias, approval, parts = [] }, index) => {
      // The setting of a single tool or skill overrides that of its server or agent (OPEN-40).
      const own = parts.map((part) => (typeof part === 'string' ? approval : (part.approval ?? approval)))
      const isRequired = parts.length === 0 ? isAlways(approval) : own.some(isAlways)
      return isRequired ? [{ target: alias, path: ['action_space', section, index] }] : []
    })
  const servers = mcp_servers.map((server) => ({ ...server, parts: server.allowed_tools ?? [] }))
  const remotes = remote_agents.map((remote) => ({ ...remote, parts: remote.allowed_skills ?? [] }))
  return [
    ...entries('local_tools', local_tools),
    ...entries('local_agents', local_agents),
    ...entries('mcp_servers', servers),
    ...entries('remote_agents', remotes),
  ]
}

interface Approvable {
  readonly alias: string
  readonly approval?: Approval
  readonly parts?: readonly (string | { readonly approval?: Approval })[]
}

/**
 * Returns calls for which policies always require approval. The alias of a server without an allow list represents all
 * tools of that server.
 */
export function alwaysGoverned(space: ActionSpace, policies: readonly GovernancePolicy[]): GovernedCall[] {
  const { local_tools = [], local_agents = [], mcp_servers = [], remote_agents = [] } = space
  const entries = (section: keyof ActionSpace, list: readonly Named[]) =>
    list.flatMap(({ alias, kind, parts = [] }, index) => {
      const names = [alias, ...parts.flatMap((part) => [part, `${alias}__${part}`])]
      const policy = policies.find(({ approvals = [] }) => approvals.some((rule) => isAlwaysFor(rule, kind, names)))
      return policy === undefined ? [] : [{ target: alias, policy: policy.id, path: ['action_space', section, index] }]
    })
  const tools = local_tools.map(({ alias }): Named => ({ alias, kind: 'tool' }))
  const agents = local_agents.map(({ alias }): Named => ({ alias, kind: 'agent' }))
  const servers = mcp_servers.map(({ alias, allowed_tools: allowed = [] }): Named => {
    return { alias, kind: 'mcp_tool', parts: allowed.map((tool) => (typeof tool === 'string' ? tool : tool.name)) }
  })
  const remotes = remote_agents.map(({ alias, allowed_skills: skills }): Named => {
    if (skills === undefined) return { alias, kind: 'remote_agent' }
    return { alias, kind: 'skill', parts: skills.map((skill) => (typeof skill === 'string' ? skill : skill.id)) }
  })
  return [
    ...entries('local_tools', tools),
    ...entries('local_agents', agents),
    ...entries('mcp_servers', servers),
    ...entries('remote_agents', remotes),
  ]
}

interface GovernedCall {
  readonly target: string
  readonly policy: string
  readonly path: Path
}

interface Named {
  readonly alias: string
  readonly kind: ApprovalKind
  readonly parts?: readonly string[]
}

function isAlwaysFor({ targets, kinds, condition }: GovernanceApproval, kind: ApprovalKind, names: readonly string[]) {
  const isNamed = targets === undefined || targets.some((target) => names.includes(target))
  return isUnconditional(condition) && isNamed && (kinds === undefined || kinds.includes(kind))
}

function isAlways(approval: Approval | undefined): boolean {
  return approval === true || (typeof approval === 'object' && approval !== null && isUnconditional(approval.condition))
}

/** A type guard, because `Array.isArray` does not narrow a union with a read-only array. */
function isGroups(condition: Conditions): condition is Extract<Conditions, readonly unknown[]> {
  return Array.isArray(condition)
}

/** True if there is no condition, or if one of its groups is empty and therefore always matches (OPEN-17). */
function isUnconditional(condition: Conditions | undefined): boolean {
  return (
    condition === undefined ||
    (isGroups(condition) ? condition : [condition]).some(({ args_match = {} }) => Object.keys(args_match).length === 0)
  )
}

/** Returns all rules that require approval. Governance can only add rules. */
export function requirementsOf(intent: Intent, context: AgentContext): Requirement[] {
  const document = documentRequirement(intent, context)
  return [...(document === undefined ? [] : [document]), ...governanceRequirements(intent, context)]
}

function documentRequirement({ approval, over, args }: Intent, context: AgentContext): Requirement | undefined {
  if (approval === undefined || approval === false) return undefined
  if (approval === true) return { reason: 'the document requires approval' }
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
      return [{ reason: `policy ${id}: ${condition}`, template: rule.message_template }]
    }),
  )
}

function conditionReason(condition: Conditions | undefined, lookup: Lookup, context: AgentContext): string | undefined {
  if (condition === undefined) return 'approval is always required'
  const outcome = matchCondition(condition, lookup)
  if (outcome.matched) return 'the approval condition matched'
  // OPEN-33: omitting or quoting an argument must not bypass approval.
  if (outcome.decided || context.options.approvalOnUnevaluable === 'no-match') return undefined
  const [first] = outcome.unevaluable
  return `the approval condition cannot be evaluated: ${first?.key}: ${first?.reason}`
}

/** Creates a lookup that treats keys as names of arguments; dots have no meaning (OPEN-39). */
function argument(args: Value): Lookup {
  return (key) => own(args, key)
}

/** Creates a lookup that treats keys as paths into the delegating agent's input. */
function ofInput(input: Value): Lookup {
  return (key) => {
    const parsed = parsePathExpression(key)
    if (!parsed.ok || parsed.value.source !== 'parent' || parsed.value.direction !== 'input') return undefined
    const outcome = resolvePath(parsed.value, input, true)
    return outcome.ok ? outcome.value : undefined
  }
}
