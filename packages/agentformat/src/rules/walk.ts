import { defaultLimits, type Limits, type Suggest, suggestions } from '@joust/source'
import { type Effort, newEffort } from '../data-flow/effort.ts'
import type { Agent } from '../model/agent.ts'
import type { ActionSpace, AgentDocument, InterfaceSchema } from '../model/document.ts'
import type { PathExpression } from '../paths/path-expression.ts'
import type { Delegation, PolicyPlan } from '../policies/plan.ts'
import { planOf } from '../policies/table.ts'
import {
  type ApprovalSite,
  approvalConditions,
  approvalSites,
  type ConditionSite,
  delegationPathSites,
  type PathSite,
  plannedPathSites,
} from './sites.ts'

/** One agent, prepared for the rules. Sub-agents that could not be loaded are missing. */
export interface AgentWalk {
  readonly agent: Agent
  readonly document: AgentDocument
  readonly space: ActionSpace
  /** Undefined for a vendor policy. */
  readonly plan: PolicyPlan | undefined
  readonly localAliases: ReadonlySet<string>
  readonly remoteAliases: ReadonlySet<string>
  readonly approvals: readonly ApprovalSite[]
  readonly conditions: readonly ConditionSite[]
  readonly pathSites: readonly PathSite[]
  readonly suggest: Suggest
  readonly effort: Effort
  readonly limits: Limits
}

export function walkAgent(agent: Agent, limits: Limits = defaultLimits): AgentWalk {
  const { document } = agent
  const space = document.action_space ?? {}
  const plan = planOf(document.execution_policy)
  const approvals = approvalSites(space)
  return {
    agent,
    document,
    space,
    plan,
    localAliases: new Set(space.local_agents?.map((entry) => entry.alias)),
    remoteAliases: new Set(space.remote_agents?.map((entry) => entry.alias)),
    approvals,
    conditions: [...(plan?.conditions ?? []), ...approvalConditions(approvals)],
    pathSites: [...(plan === undefined ? [] : plannedPathSites(plan)), ...delegationPathSites(approvals)],
    suggest: suggestions(),
    effort: newEffort(),
    limits,
  }
}

/** Returns the schema that an expression reads from. Undefined if the source was not loaded. */
export function sourceSchema(walk: AgentWalk, { source, direction }: PathExpression): InterfaceSchema | undefined {
  const document = source === 'parent' ? walk.document : walk.agent.agents.get(source)?.document
  return document?.interface[direction]
}

/** A sub-agent that a policy runs, with its interface. */
export interface DelegatedAgent {
  readonly delegation: Delegation
  readonly input: InterfaceSchema
  readonly output: InterfaceSchema
}

/** Returns the policy's sub-agents that were loaded. */
export function delegatedAgents({ plan, agent }: AgentWalk): DelegatedAgent[] {
  return (plan?.delegations ?? []).flatMap((delegation) => {
    const declared = agent.agents.get(delegation.alias)?.document.interface
    return declared === undefined ? [] : [{ delegation, input: declared.input, output: declared.output }]
  })
}

/** A valid path expression and its site. */
export interface ReadSite {
  readonly site: PathSite
  readonly expression: PathExpression
}

/** Yields the sites with a valid path expression. */
export function* readSites(walk: AgentWalk): Generator<ReadSite> {
  for (const site of walk.pathSites) if (site.read.ok) yield { site, expression: site.read.value }
}
