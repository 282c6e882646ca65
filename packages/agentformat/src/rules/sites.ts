/** Finds the approvals, conditions and path expressions in a document. */
import type { Path, Result } from '@joust/source'
import { groupsOf } from '../conditions/match-condition.ts'
import type { Approval, ApprovalConfig, Conditions } from '../model/condition.ts'
import type { ActionSpace } from '../model/document.ts'
import { type PathExpression, type PathFault, readPathExpression } from '../paths/path-expression.ts'
import { finishedBefore, type PolicyPlan } from '../policies/plan.ts'

/** The action to approve: a call, or the delegation to a local or remote agent. */
export type ApprovedAct = 'call' | 'delegation' | 'remote delegation'

export interface ApprovalSite {
  readonly approval: ApprovalConfig
  readonly path: Path
  readonly act: ApprovedAct
}

/** Returns all approval settings in object form. */
export function approvalSites(space: ActionSpace): ApprovalSite[] {
  const { local_tools, mcp_servers = [], local_agents, remote_agents = [] } = space
  return [
    ...sitesIn(local_tools, ['local_tools'], 'call'),
    ...sitesIn(mcp_servers, ['mcp_servers'], 'call'),
    ...mcp_servers.flatMap(({ allowed_tools: tools }, at) =>
      sitesIn(tools, ['mcp_servers', at, 'allowed_tools'], 'call'),
    ),
    ...sitesIn(local_agents, ['local_agents'], 'delegation'),
    ...sitesIn(remote_agents, ['remote_agents'], 'remote delegation'),
    ...remote_agents.flatMap(({ allowed_skills: skills }, at) =>
      sitesIn(skills, ['remote_agents', at, 'allowed_skills'], 'call'),
    ),
  ]
}

function sitesIn(
  entries: readonly (string | { readonly approval?: Approval })[] = [],
  path: Path,
  act: ApprovedAct,
): ApprovalSite[] {
  return entries.flatMap((entry, index) => {
    const approval = typeof entry === 'string' ? undefined : entry.approval
    if (typeof approval !== 'object') return []
    return [{ approval, path: ['action_space', ...path, index, 'approval'], act }]
  })
}

/** A path expression in its context. */
export interface PathSite {
  readonly text: string
  readonly path: Path
  /** `key` if the path expression is the key of a condition. */
  readonly at?: 'key'
  readonly place: 'mapping' | 'batch mapping' | 'when' | 'exit_condition' | 'delegation'
  readonly read: Result<PathExpression, PathFault>
  /** True if an alias has run before the expression is evaluated. */
  readonly finished: (alias: string) => boolean
}

export interface ConditionSite {
  readonly condition: Conditions
  readonly path: Path
}

/** Returns the path expressions in a policy. */
export function plannedPathSites(plan: PolicyPlan): PathSite[] {
  const before = finishedBefore(plan)
  const place = plan.order === 'items' ? 'batch mapping' : 'mapping'
  const mappings = plan.delegations.flatMap(({ mapping = {}, mappingPath }, index) =>
    Object.entries(mapping).map(([field, text]): PathSite => {
      const finished = (alias: string): boolean => before(alias, index)
      return { text, path: [...mappingPath, field], place, read: readPathExpression(text), finished }
    }),
  )
  const last = plan.delegations.length
  const conditions = plan.conditions.flatMap((planned) =>
    conditionKeys(planned, planned.place, (alias) => planned.place === 'exit_condition' && before(alias, last)),
  )
  return [...mappings, ...conditions]
}

/** Returns the path expressions in conditions on delegations (Agent Format P-20). */
export function delegationPathSites(approvals: readonly ApprovalSite[]): PathSite[] {
  return approvals
    .filter((site) => site.act !== 'call')
    .flatMap((site) => approvalConditions([site]))
    .flatMap((site) => conditionKeys(site, 'delegation', () => false))
}

export function approvalConditions(approvals: readonly ApprovalSite[]): ConditionSite[] {
  return approvals.flatMap(({ approval, path }) =>
    approval.condition === undefined ? [] : [{ condition: approval.condition, path: [...path, 'condition'] }],
  )
}

export function groupSites({ condition, path }: ConditionSite) {
  const several = Array.isArray(condition)
  return groupsOf(condition).map((group, index) => ({ group, path: several ? [...path, index] : path }))
}

function conditionKeys(
  site: ConditionSite,
  place: PathSite['place'],
  finished: (alias: string) => boolean,
): PathSite[] {
  return groupSites(site).flatMap(({ group, path }) =>
    Object.keys(group.args_match ?? {}).map((text): PathSite => {
      const read = readPathExpression(text)
      return { text, path: [...path, 'args_match', text], at: 'key', place, read, finished }
    }),
  )
}
