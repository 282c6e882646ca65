/** What a run needs, found before the first model call and within its limits; what is missing is reported together. */

import { type Agent, agentPaths, planOf, standardPolicy } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { messageOf, type Path } from '@joust/source'
import { AgentBudget, type BudgetSpec, newTotals } from '../budget/agent-budget.ts'
import { optionFaults } from '../budget/check-options.ts'
import { mcpBinding, remoteBinding } from '../connections/connection-pool.ts'
import { type Ask, createGovernanceResolver } from '../governance/resolve.ts'
import { childScope, memoryFault } from '../memory/memory.ts'
import { type RunCode, type RunError, RunFailure, throwIfAborted } from '../model/errors.ts'
import type { EventBody } from '../model/events.ts'
import type { GovernancePolicy } from '../model/governance.ts'
import type { LanguageModel } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { RunOptions, RuntimeOptions } from '../model/options.ts'
import { modelOf } from '../models/resolve-model.ts'
import { isRunnable } from '../policies/table.ts'
import { boundTool } from '../tools/local.ts'
import { asFailure, hostLayer, ownLayer } from './frame.ts'
import type { Host, Prepared } from './run-state.ts'

/** How a run is prepared. */
export type PrepareOptions = Pick<RunOptions, 'signal' | 'memoryScope'> & {
  /** Whether servers and remote agents have to answer; default true. */
  readonly reach?: boolean
}

/** Prepares a run. Rejects with a `RunFailure`: something is missing, a deadline has passed, or it was cancelled. */
export async function prepareRun(
  { options, clock, pool }: Pick<Host, 'options' | 'clock' | 'pool'>,
  agent: Agent,
  { memoryScope, reach = true }: PrepareOptions,
  cancel: AbortSignal,
  emit: (event: EventBody, agent: readonly string[]) => void,
): Promise<Prepared> {
  // Wrong numbers bind nothing here; they are reported among the problems that stop the run.
  const { limits, timeouts } = optionFaults(options).length === 0 ? options : {}
  const layers = [hostLayer(limits), ownLayer(agent)]
  const onLimit: BudgetSpec['onLimit'] = ({ path: limit, owner, max }, used) =>
    emit({ type: 'limit-reached', limit, owner, max, used }, [])
  const budget = new AgentBudget(
    { agent: [], layers, tightenOnly: true, cancel, onLimit },
    { clock, totals: newTotals(clock) },
  )
  const { signal } = budget
  try {
    // The deadline counts from the start, and nothing is waited for forever.
    return await findAll({
      agent,
      options,
      signal,
      ask: (work) => startWithin(clock, timeouts?.connectMs ?? runtimeLimits.connectMs, [signal], work),
      reach: async ({ document: { action_space } }, path) =>
        reach ? pool.reach(action_space ?? {}, { path, signal, emit: (event) => emit(event, path) }) : [],
      memoryScope: memoryScope === '' ? undefined : memoryScope,
    })
  } catch (thrown) {
    throw asFailure(thrown, signal, [])
  } finally {
    budget.close()
  }
}

/** What is looked for, and how. */
interface Search {
  readonly agent: Agent
  readonly options: RuntimeOptions
  readonly memoryScope: string | undefined
  /** Fires when the run is cancelled, or its deadline passes. */
  readonly signal: AbortSignal
  /** Waits for the registry and for the host's models. */
  readonly ask: Ask
  /** Connects what an agent declares; returns what cannot be reached. */
  reach(agent: Agent, path: readonly string[]): Promise<readonly string[]>
}

/** `path` is the part of the document that it is about, where that is not the same for all problems of its code. */
type Problem = Pick<RunError, 'code' | 'message' | 'agent'> & { readonly path?: Path }

/** Rejects with one `RunFailure` whose details list every problem. */
async function findAll(search: Search): Promise<Prepared> {
  const { agent: root, options, signal, ask } = search
  const nodes = agentPaths(root)
  const problems: Problem[] = optionFaults(options).map((message) => ({ code: 'config_invalid', message, agent: [] }))
  for (const [agent, path] of nodes) problems.push(...bindingProblems(agent, path, options))
  problems.push(...memoryProblems(search))
  const policies = new Map<Agent, readonly GovernancePolicy[]>()
  const models = new Map<Agent, LanguageModel>()
  const absent: { agent: readonly string[]; message: string }[] = []
  const resolve = createGovernanceResolver(options.governance, ask)
  for (const [agent, path] of nodes) {
    throwIfAborted(signal, [])
    const resolved = await resolve(agent)
    policies.set(agent, resolved.policies)
    problems.push(...resolved.missing.map((message) => ({ code: 'policy_unresolved', message, agent: path }) as const))
    absent.push(...resolved.absent.map((message) => ({ agent: path, message })))
    const found = await findModel(agent, path, search)
    if (found !== undefined && 'model' in found) models.set(agent, found.model)
    else if (found !== undefined) problems.push(found)
  }
  if (problems.length === 0) problems.push(...(await unreachable(nodes, search)))
  throwIfAborted(signal, [])
  const [first] = problems
  if (first !== undefined) throw preparationFailure(first, problems)
  return { policies, models, absent }
}

/** Nothing is started while anything is missing; after that, every server that a model could use must answer. */
async function unreachable(nodes: ReadonlyMap<Agent, readonly string[]>, { reach }: Search): Promise<Problem[]> {
  const found = await Promise.all(
    [...nodes].map(async ([agent, path]) => {
      const { execution_policy, metadata } = agent.document
      const messages = execution_policy.id === 'agf.react' ? await reach(agent, path) : []
      return messages.map(
        (message) => ({ code: 'unmapped_server', message: `${metadata.id}: ${message}`, agent: path }) as const,
      )
    }),
  )
  return found.flat()
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
    ...(lifted ? [at('config_invalid', 'this host does not allow tighten_only_invariant: false')] : []),
    ...transformProblems(agent, options).map((message) => at('unknown_transform', message)),
    ...local_tools.flatMap(({ alias }, index) =>
      typeof boundTool(alias, options)?.call === 'function'
        ? []
        : [at('unbound_tool', `the local tool ${alias} is not bound`, 'action_space', 'local_tools', index)],
    ),
    ...mcp_servers.flatMap((server, index) => {
      const message = `the MCP server ${server.alias}${ref(server.server_ref)} is not mapped`
      const isMapped = mcpBinding(server, options) !== undefined
      return isMapped ? [] : [at('unmapped_server', message, 'action_space', 'mcp_servers', index)]
    }),
    ...remote_agents.flatMap((remote, index) => {
      const message = `the remote agent ${remote.alias} is not mapped`
      const isMapped = remoteBinding(remote, options) !== undefined
      return isMapped ? [] : [at('unmapped_server', message, 'action_space', 'remote_agents', index)]
    }),
  ]
}

function unsupported(id: string): string {
  return id.startsWith('x-') ? `the policy ${id} is not registered` : `there is no policy ${JSON.stringify(id)}`
}

function ref(serverRef: string | undefined): string {
  return serverRef === undefined || serverRef === '' ? '' : ` (${serverRef})`
}

function transformProblems(agent: Agent, { transforms = {} }: RuntimeOptions): string[] {
  const from = planOf(agent.document.execution_policy)?.output?.from
  if (from?.kind !== 'custom_transform' || Object.hasOwn(transforms, from.name)) return []
  return [`the transform ${JSON.stringify(from.name)} is not registered`]
}

/** The root, and all agents that deterministic policies lead to (OPEN-43); below `agf.react` the delegation checks. */
function memoryProblems({ agent: root, options, memoryScope }: Search): Problem[] {
  const problems: Problem[] = []
  const seen = new Map<Agent, Set<boolean>>()
  const visit = (agent: Agent, scope: string | undefined, path: readonly string[]): void => {
    const known = seen.get(agent) ?? new Set()
    if (known.has(scope !== undefined)) return
    seen.set(agent, known.add(scope !== undefined))
    const fault = memoryFault(agent, scope, options.memory)
    if (fault !== undefined) problems.push({ code: 'memory_required', message: fault, agent: path })
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
  { options, ask }: Search,
): Promise<{ readonly model: LanguageModel } | Problem | undefined> {
  const policy = standardPolicy(agent.document.execution_policy)
  if (policy?.id !== 'agf.react') return undefined
  try {
    return { model: await ask(() => modelOf(agent, policy.config, options, [])) }
  } catch (thrown) {
    const { id } = agent.document.metadata
    if (thrown instanceof RunFailure)
      return { code: thrown.error.code, message: `${id}: ${thrown.message}`, agent: path }
    const message = `${id}: the model ${JSON.stringify(policy.config.model)} was not found: ${messageOf(thrown)}`
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
  const error: RunError = { code: first.code, message, agent: first.agent, details }
  return new RunFailure(error)
}
