/** Delegation to a local agent: approval, depth, memory, execution and failures (decision 0019, OPEN-24). */
import type { Agent, Approval } from '@joust/agentformat'
import { linkSignals } from '@joust/io'
import { cloneValue, defined, type Value } from '@joust/source'
import { requireApproval } from '../approvals/ask.ts'
import type { AgentContext } from '../context/agent-context.ts'
import type { DelegateOptions } from '../context/policy-call.ts'
import { childOf } from '../mapping/step-input.ts'
import { childScope } from '../memory/memory.ts'
import { cancelled, isLimitOf, RunFailure, throwIfAborted } from '../model/errors.ts'
import type { PolicyPlace } from '../model/events.ts'
import type { Journal } from '../model/journal.ts'
import type { Frame } from './frame.ts'

type Execute = (agent: Agent, input: Value, frame: Frame) => Promise<Value>

export function createDelegate(frame: Frame, context: AgentContext, delegations: Delegations, execute: Execute) {
  return (alias: string, input: Value, options: DelegateOptions = {}): Promise<Value> => {
    const link = linkSignals([frame.cancel, delegations.signal, options.signal])
    const place = options.place ?? {}
    const journal = frame.journal?.below(delegations.nameOf(alias + placeText(place)))
    const delegation = { alias, place, cancel: link.signal, journal }
    // A copy, so that the sub-agent gets exactly the input that was approved.
    const work = delegate(delegation, cloneValue(input), frame, context, execute)
    return delegations.track(work.finally(link.close))
  }
}

interface Delegation {
  readonly alias: string
  readonly place: PolicyPlace
  /** Cancels the delegation, including a pending approval. */
  readonly cancel: AbortSignal
  readonly journal: Journal | undefined
}

async function delegate(
  { alias, place, cancel, journal }: Delegation,
  input: Value,
  frame: Frame,
  context: AgentContext,
  execute: Execute,
): Promise<Value> {
  throwIfAborted(cancel, context.path)
  const child = childOf({ agent: context.agent, context }, alias)
  const entry = context.agent.document.action_space?.local_agents?.find((candidate) => candidate.alias === alias)
  context.budget.enterDelegation()
  await approve(alias, input, entry?.approval, cancel, context)
  const childFrame: Frame = {
    run: frame.run,
    path: [...context.path, alias],
    execution: context.execution,
    cancel,
    policies: context.governance.policies,
    budget: context.budget,
    memoryScope: childScope(frame.memoryScope, entry?.memory_scope_strategy, alias),
    journal,
    history: historyFor(frame, context.agent),
  }
  const where = { ...place, alias, to: 'local' as const }
  context.emit({ type: 'delegation-started', ...where })
  let ok = false
  try {
    const output = await execute(child, input, childFrame)
    ok = true
    return output
  } catch (thrown) {
    throw wrap(thrown, alias, place, context)
  } finally {
    context.emit({ type: 'delegation-finished', ...where, ok })
  }
}

/** Returns the history for sub-agents of an agent without a model: its own conversation or its caller's history. */
function historyFor({ history, conversation }: Frame, { document }: Agent): Frame['history'] {
  if (document.execution_policy.id === 'agf.react') return undefined
  if (conversation === undefined) return history
  const { messages } = conversation
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(0, Math.max(0, last)).filter(({ role }) => role === 'user' || role === 'assistant')
}

async function approve(
  alias: string,
  input: Value,
  approval: Approval | undefined,
  cancel: AbortSignal,
  context: AgentContext,
): Promise<void> {
  const link = linkSignals([context.signal, cancel])
  const intent = { kind: 'agent', target: alias, names: [], args: input, over: 'input', approval } as const
  try {
    await requireApproval(intent, { ...context, signal: link.signal })
  } finally {
    link.close()
  }
}

/** Wraps a sub-agent's failure for its parent. A failure that also ends the parent is returned unchanged. */
function wrap(thrown: unknown, alias: string, place: PolicyPlace, context: AgentContext): unknown {
  if (!(thrown instanceof RunFailure)) return thrown
  const { error } = thrown
  if (isLimitOf(thrown, context.path) || error.code === 'cancelled') return thrown
  const message = `${alias}${placeText(place)} failed: ${error.message}`
  const details = { ...place, alias }
  return new RunFailure({ code: 'agent_failed', message, agent: context.path, cause: error, details })
}

function placeText({ step, iteration, item }: PolicyPlace): string {
  const parts = Object.entries(defined({ step, iteration, item })).map(([name, at]) => `${name} ${at}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** The running delegations of one agent execution. */
export class Delegations {
  #ending: AbortController | undefined
  #ended: (() => RunFailure) | undefined
  readonly #open = new Set<Promise<unknown>>()
  readonly #names = new Map<string, number>()

  /** Aborted with a `RunFailure` once the policy has ended. */
  get signal(): AbortSignal {
    // Created on demand, because signals are slow to create and most agents have no sub-agents.
    this.#ending ??= new AbortController()
    if (this.#ended !== undefined) this.#ending.abort(this.#ended())
    return this.#ending.signal
  }

  /** Returns a unique name for the journal, because a model may delegate to the same agent twice concurrently. */
  nameOf(place: string): string {
    const count = (this.#names.get(place) ?? 0) + 1
    this.#names.set(place, count)
    return count === 1 ? place : `${place} #${count}`
  }

  /** Tracks a delegation. A failure is ignored if the policy does not await the delegation. */
  track<T>(delegation: Promise<T>): Promise<T> {
    const forget = () => void this.#open.delete(delegation)
    this.#open.add(delegation)
    delegation.then(forget, forget)
    return delegation
  }

  /** Cancels running delegations and waits for them. No further delegations can start. */
  async end(agent: readonly string[]): Promise<void> {
    this.#ended = () => cancelled(agent, 'the policy has ended')
    this.#ending?.abort(this.#ended())
    await Promise.allSettled(this.#open)
  }
}
