/** The state that an agent inherits from its caller. */
import type { Agent } from '@joust/agentformat'
import type { Clock } from '@joust/io'
import { messageOf } from '@joust/source'
import { AgentBudget, type BudgetSpec } from '../budget/agent-budget.ts'
import type { LimitLayer, LimitValues } from '../budget/bounds.ts'
import type { AgentContext } from '../context/agent-context.ts'
import { governanceLayers } from '../governance/governance.ts'
import type { Conversation, ConversationMessage } from '../model/conversation.ts'
import { failureOf, RunFailure } from '../model/errors.ts'
import type { GovernancePolicy } from '../model/governance.ts'
import type { Journal } from '../model/journal.ts'
import type { RunState } from './run-state.ts'

export interface Frame {
  readonly run: RunState
  /** Aliases from the root agent. */
  readonly path: readonly string[]
  /** The caller's execution; absent for the root. */
  readonly execution?: string
  /** Cancels the agent with a `RunFailure`, independently of its limits. */
  readonly cancel: AbortSignal
  readonly policies: readonly GovernancePolicy[]
  /** The caller's budget; absent for the root. */
  readonly budget?: AgentBudget
  readonly memoryScope: string | undefined
  readonly conversation?: Conversation | undefined
  /** Earlier messages of the user's conversation with an ancestor that has no model. */
  readonly history?: readonly ConversationMessage[] | undefined
  readonly journal: Journal | undefined
}

/** Creates the budget of an agent from its own limits, its policies' limits and, for the root, the host's limits. */
export function openBudget(agent: Agent, frame: Frame, emit: AgentContext['emit']): AgentBudget {
  const { constraints } = agent.document
  const { run, path, cancel, journal } = frame
  const layers = [ownLayer(agent), ...governanceLayers(run.prepared.policies.get(agent) ?? [])]
  const spec: BudgetSpec = {
    agent: path,
    layers,
    tightenOnly: constraints?.tighten_only_invariant !== false,
    cancel,
    onLimit: ({ path: limit, owner, max }, used) => emit({ type: 'limit-reached', limit, owner, max, used }),
  }
  if (frame.budget !== undefined) {
    const startedAt = journal === undefined ? run.clock.now() : startOf(journal, run.clock)
    return frame.budget.child({ ...spec, startedAt })
  }
  // Preparation counts as part of the run.
  const { startedAt } = run.totals
  return new AgentBudget({ ...spec, layers: [hostLayer(run.options.limits), ...layers], startedAt }, run)
}

/** Returns the start time of a resumed agent, excluding the time between processes. */
function startOf(journal: Journal, clock: Clock): number {
  const before = journal.once('started', () => journal.workedMs())
  return clock.now() - (journal.workedMs() - before)
}

export function ownLayer({ document: { constraints } }: Agent): LimitLayer {
  return { source: 'constraints', own: true, values: { ...constraints?.budget, ...constraints?.limits } }
}

export function hostLayer(values: LimitValues = {}): LimitLayer {
  return { source: 'host', own: false, values }
}

/** Converts a thrown value to a `RunFailure`. If the signal is aborted, its reason takes precedence. */
export function asFailure(thrown: unknown, signal: AbortSignal, agent: readonly string[]): RunFailure {
  if (signal.aborted) return failureOf(signal, agent)
  if (thrown instanceof RunFailure) return thrown
  const cause = { message: messageOf(thrown) }
  return new RunFailure({ code: 'agent_failed', message: `the agent failed: ${cause.message}`, agent, cause })
}
