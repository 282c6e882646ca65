/** Execution frame: state that an agent inherits from its caller. */

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

/** State that an agent inherits from its caller. */
export interface Frame {
  readonly run: RunState
  /** Aliases from the root. */
  readonly path: readonly string[]
  /** The execution of the caller; absent for the root. */
  readonly execution?: string
  /** Cancels the agent for reasons other than its limits. Its reason is a `RunFailure`. */
  readonly cancel: AbortSignal
  /** The policies of all callers. */
  readonly policies: readonly GovernancePolicy[]
  /** The budget of the caller; absent for the root. */
  readonly budget?: AgentBudget
  readonly memoryScope: string | undefined
  readonly conversation?: Conversation | undefined
  /** Earlier messages in the conversation with an agent above that is not a model itself. */
  readonly history?: readonly ConversationMessage[] | undefined
  readonly journal: Journal | undefined
}

/** Creates the budget of an agent from its own limits, those of its policies and, for the root, those of the host. */
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

/** Returns the start time of an agent, adjusted for the time between processes. */
function startOf(journal: Journal, clock: Clock): number {
  const before = journal.once('started', () => journal.workedMs())
  return clock.now() - (journal.workedMs() - before)
}

/** Returns the limits of the agent's document. */
export function ownLayer({ document: { constraints } }: Agent): LimitLayer {
  return { source: 'constraints', own: true, values: { ...constraints?.budget, ...constraints?.limits } }
}

/** Returns the limits of the host for every run. */
export function hostLayer(values: LimitValues = {}): LimitLayer {
  return { source: 'host', own: false, values }
}

/** Converts a thrown value into a `RunFailure`. If the signal is aborted, its reason takes precedence. */
export function asFailure(thrown: unknown, signal: AbortSignal, agent: readonly string[]): RunFailure {
  if (signal.aborted) return failureOf(signal, agent)
  if (thrown instanceof RunFailure) return thrown
  const cause = { message: messageOf(thrown) }
  return new RunFailure({ code: 'agent_failed', message: `the agent failed: ${cause.message}`, agent, cause })
}
