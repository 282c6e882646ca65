/** Resolves models, tools, servers and policies before the first model call, and reports all problems together. */
import { type Agent, agentPaths, planOf, standardPolicy } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { describeValue, isRecord, messageOf, type Path } from '@joust/source'
import { alwaysApproved, alwaysGoverned } from '../approvals/requirement.ts'
import { AgentBudget, type BudgetSpec, newTotals } from '../budget/agent-budget.ts'
import { optionProblems } from '../budget/check-options.ts'
import { mcpBinding, remoteBinding } from '../connections/connection-pool.ts'
import { createGovernanceResolver, type WithTimeout } from '../governance/resolve.ts'
import { childScope, memoryProblem } from '../memory/memory.ts'
import { type RunCode, type RunError, RunFailure, throwIfAborted } from '../model/errors.ts'
import type { EventBody } from '../model/events.ts'
import type { GovernancePolicy } from '../model/governance.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { RunOptions, RuntimeOptions } from '../model/options.ts'
import { modelOf, type ResolvedModels } from '../models/resolve-model.ts'
import { isRunnable } from '../policies/table.ts'
import { boundTool } from '../tools/local.ts'
import { asFailure, hostLayer, ownLayer } from './frame.ts'
import type { Host, Prepared } from './run-state.ts'

export type PrepareOptions = Pick<RunOptions, 'signal' | 'memoryScope' | 'approve'> & {
  /** True to require responses from servers and remote agents. @default true */
  readonly reach?: boolean
}

/** Prepares a run. Rejects with a `RunFailure` on a missing binding, a timeout or cancellation. */
export async function prepareRun(
  { options: hostOptions, clock, pool, models }: Pick<Host, 'options' | 'clock' | 'pool' | 'models'>,
  agent: Agent,
  { memoryScope, approve, reach = true }: PrepareOptions,
  cancel: AbortSignal,
  emit: (event: EventBody, agent: readonly string[]) => void,
): Promise<Prepared> {
  const options = approve === undefined ? hostOptions : { ...hostOptions, approve }
  // Invalid limits are ignored here; they are reported below with the other problems.
  const { limits, timeouts } = optionProblems(options).length === 0 ? options : {}
  const connectMs = timeouts?.connectMs ?? runtimeLimits.connectMs
  const layers = [hostLayer(limits), ownLayer(agent)]
  const hasDeadline = layers.some(({ values }) => values.max_duration_seconds !== undefined)
  const onLimit: BudgetSpec['onLimit'] = ({ path: limit, owner, max }, used) =>
    emit({ type: 'limit-reached', limit, owner, max, used }, [])
  // The time limit includes preparation. No other limit can be reached yet.
  const budget = hasDeadline
    ? new AgentBudget({ agent: [], layers, tightenOnly: true, cancel, onLimit }, { clock, totals: newTotals(clock) })
    : undefined
  const { signal } = budget ?? { signal: cancel }
  try {
    // Every query has a timeout.
    const withTimeout: WithTimeout = (work) => startWithin(clock, connectMs, [signal], work)
    const connect: Search['reach'] = async ({ document: { action_space } }, path) =>
      reach ? pool.reach(action_space ?? {}, { path, signal, emit: (event) => emit(event, path) }) : []
    const scope = memoryScope === '' ? undefined : memoryScope
    return await resolveAll({ agent, options, models, signal, withTimeout, reach: connect, memoryScope: scope })
  } catch (thrown) {
    throw asFailure(thrown, signal, [])
  } finally {
    budget?.close()
  }
}

interface Search {
  readonly agent: Agent
  readonly options: RuntimeOptions
  readonly models: ResolvedModels
  readonly memoryScope: string | undefined
  /** Aborted when the run is cancelled or exceeds its time limit. */
  readonly signal: AbortSignal
  readonly withTimeout: WithTimeout
  /** Connects the servers of an agent; returns a message for each unreachable one. */
  reach(agent: Agent, path: readonly string[]): Promise<readonly string[]>
}

/**
 * A preparation problem. `path` is its document path, unless `code` implies it; `reason` is more specific than `code`.
 */
type Problem = Pick<RunError, 'code' | 'message' | 'agent'> & {
  readonly path?: Path
  readonly reason?: 'unreachable' | 'refused'
}

async function resolveAll(search: Search): Promise<Prepared> {
  const { agent: root, options, signal, withTimeout } = search
  const nodes = agentPaths(root)
  const problems: Problem[] = optionProblems(options).map((message) => ({ code: 'config_invalid', message, agent: [] }))
  for (const [agent, path] of nodes) problems.push(...bindingProblems(agent, path, options))
  problems.push(...memoryProblems(search))
  const policies = new Map<Agent, readonly GovernancePolicy[]>()
  const models = new Map<Agent, LanguageModel>()
  const absent: { agent: readonly string[]; message: string }[] = []
  const resolve = createGovernanceResolver(options.governance, withTimeout)
  for (const [agent, path] of nodes) {
    throwIfAborted(signal, [])
    const resolved = await resolve(agent)
    policies.set(agent, resolved.policies)
    // With a registry, an unresolved policy means that the registry refused the policy.
    const reason = options.governance !== undefined && ({ reason: 'refused' } as const)
    problems.push(
      ...resolved.missing.map((message) => ({ code: 'policy_unresolved', message, agent: path, ...reason }) as const),
    )
    absent.push(...resolved.absent.map((message) => ({ agent: path, message })))
    const resolution = await findModel(agent, path, search)
    if (resolution !== undefined && 'model' in resolution) models.set(agent, resolution.model)
    else if (resolution !== undefined) problems.push(resolution)
  }
  if (typeof options.approve !== 'function') problems.push(...governedProblems(nodes, policies))
  if (problems.length === 0) problems.push(...(await unreachable(nodes, search)))
  throwIfAborted(signal, [])
  const [first] = problems
  if (first !== undefined) throw preparationFailure(first, problems)
  return { policies, models, absent }
}

/** Checks the servers that models can use. Called only if there are no other problems, so that nothing starts early. */
async function unreachable(nodes: ReadonlyMap<Agent, readonly string[]>, { reach }: Search): Promise<Problem[]> {
  const problems = await Promise.all(
    [...nodes].map(async ([agent, path]) => {
      const { execution_policy, metadata } = agent.document
      const messages = execution_policy.id === 'agf.react' ? await reach(agent, path) : []
      return messages.map((message): Problem => {
        return { code: 'unmapped_server', reason: 'unreachable', message: `${metadata.id}: ${message}`, agent: path }
      })
    }),
  )
  return problems.flat()
}

function bindingProblems(agent: Agent, path: readonly string[], options: RuntimeOptions): Problem[] {
  const { execution_policy, constraints, action_space = {}, metadata } = agent.document
  const at = (code: RunCode, message: string, ...place: (string | number)[]): Problem => {
    return { code, message: `${metadata.id}: ${message}`, agent: path, ...(place.length > 0 && { path: place }) }
  }
  const { local_tools = [], mcp_servers = [], remote_agents = [] } = action_space
  const lifted = constraints?.tighten_only_invariant === false && options.allowLiftedInvariant === false
  return [
    ...(isRunnable(execution_policy.id, options) ? [] : [at('unsupported_policy', unsupported(execution_policy.id))]),
    ...(lifted ? [at('config_invalid', 'tighten_only_invariant: false is not allowed by this host')] : []),
    ...transformProblems(agent, options).map((message) => at('unknown_transform', message)),
    ...(typeof options.approve === 'function' ? [] : alwaysApproved(action_space)).map(({ target, path: place }) =>
      at('approval_unavailable', `${target} needs approval, and no approver is configured`, ...place),
    ),
    ...local_tools.flatMap(({ alias }, index) =>
      typeof boundTool(alias, options)?.call === 'function'
        ? []
        : [at('unbound_tool', `local tool ${alias} is not bound`, 'action_space', 'local_tools', index)],
    ),
    ...local_tools.flatMap(({ alias }, index) => {
      const { inputSchema }: { readonly inputSchema?: unknown } = boundTool(alias, options) ?? {}
      const message = `the inputSchema of ${alias} must be a JSON Schema, not ${describeValue(inputSchema)}`
      const isSchema = inputSchema === undefined || isRecord(inputSchema)
      return isSchema ? [] : [at('config_invalid', message, 'action_space', 'local_tools', index)]
    }),
    ...mcp_servers.flatMap((server, index) => {
      const message = `MCP server ${server.alias}${ref(server.server_ref)} is not mapped`
      const isMapped = mcpBinding(server, options) !== undefined
      return isMapped ? [] : [at('unmapped_server', message, 'action_space', 'mcp_servers', index)]
    }),
    ...remote_agents.flatMap((remote, index) => {
      const message = `remote agent ${remote.alias} is not mapped`
      const isMapped = remoteBinding(remote, options) !== undefined
      return isMapped ? [] : [at('unmapped_server', message, 'action_space', 'remote_agents', index)]
    }),
  ]
}

/**
 * Reports calls that require approval because of a governance policy of the agent or a caller. Calls that require
 * approval because of the document are reported elsewhere.
 */
function governedProblems(
  nodes: ReadonlyMap<Agent, readonly string[]>,
  policies: ReadonlyMap<Agent, readonly GovernancePolicy[]>,
): Problem[] {
  return [...nodes].flatMap(([{ document }, path]) => {
    const above = [...nodes].filter(([, other]) => other.every((alias, index) => path[index] === alias))
    const inForce = above.flatMap(([agent]) => policies.get(agent) ?? [])
    const reported = alwaysApproved(document.action_space ?? {}).map(({ path: place }) => place.join('.'))
    return alwaysGoverned(document.action_space ?? {}, inForce)
      .filter(({ path: place }) => !reported.includes(place.join('.')))
      .map(({ target, policy, path: place }): Problem => {
        const message = `${document.metadata.id}: policy ${policy} requires approval of ${target}, and no approver is configured`
        return { code: 'approval_unavailable', message, agent: path, path: place }
      })
  })
}

function unsupported(id: string): string {
  return id.startsWith('x-') ? `policy ${id} is not registered` : `unknown policy ${JSON.stringify(id)}`
}

function ref(serverRef: string | undefined): string {
  return serverRef === undefined || serverRef === '' ? '' : ` (${serverRef})`
}

function transformProblems(agent: Agent, { transforms = {} }: RuntimeOptions): string[] {
  const from = planOf(agent.document.execution_policy)?.output?.from
  if (from?.kind !== 'custom_transform' || Object.hasOwn(transforms, from.name)) return []
  return [`transform ${JSON.stringify(from.name)} is not registered`]
}

/**
 * Checks the memory of agents that deterministic policies run (decision 0019, OPEN-43). For `agf.react`, the check is
 * made on delegation.
 */
function memoryProblems({ agent: root, options, memoryScope }: Search): Problem[] {
  const problems: Problem[] = []
  const visited = new Map<Agent, Set<boolean>>()
  const visit = (agent: Agent, scope: string | undefined, path: readonly string[]): void => {
    const scopes = visited.get(agent) ?? new Set()
    if (scopes.has(scope !== undefined)) return
    visited.set(agent, scopes.add(scope !== undefined))
    const problem = memoryProblem(agent, scope, options.memory)
    if (problem !== undefined) problems.push({ code: 'memory_required', message: problem, agent: path })
    for (const { alias } of planOf(agent.document.execution_policy)?.delegations ?? []) {
      const child = agent.agents.get(alias)
      const entry = agent.document.action_space?.local_agents?.find((candidate) => candidate.alias === alias)
      if (child !== undefined) visit(child, childScope(scope, entry?.memory_scope_strategy, alias), [...path, alias])
    }
  }
  visit(root, memoryScope, [])
  return problems
}

async function findModel(
  agent: Agent,
  path: readonly string[],
  { options, models, withTimeout }: Search,
): Promise<{ readonly model: LanguageModel } | Problem | undefined> {
  const policy = standardPolicy(agent.document.execution_policy)
  if (policy?.id !== 'agf.react') return undefined
  try {
    const find = () => modelOf(agent, policy.config, options, [], models)
    // Only a function provided by the host can hang.
    return { model: typeof options.models === 'function' ? await withTimeout(find) : await find() }
  } catch (thrown) {
    const { id } = agent.document.metadata
    if (thrown instanceof RunFailure)
      return { code: thrown.error.code, message: `${id}: ${thrown.message}`, agent: path }
    const message = `${id}: cannot resolve the model ${JSON.stringify(policy.config.model)}: ${messageOf(thrown)}`
    return { code: 'model_failed', message, agent: path }
  }
}

function preparationFailure(first: Problem, problems: readonly Problem[]): RunFailure {
  const message = problems.map((one) => one.message).join('; ')
  const details = problems.map(({ path, ...one }) => ({
    ...one,
    agent: [...one.agent],
    ...(path && { path: [...path] }),
  }))
  return new RunFailure({ code: first.code, message, agent: first.agent, details })
}
