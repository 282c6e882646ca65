/** Delegation to a local agent: approval, depth, memory, execution, and wrapping of its failure (OPEN-24). */

import type { Agent, Approval } from '@joust/agentformat'
import { linkSignals } from '@joust/io'
import { cloneValue, type Value } from '@joust/source'
import { requireApproval } from '../approvals/ask.ts'
import type { DelegateOptions } from '../context/policy-call.ts'
import type { RunContext } from '../context/run-context.ts'
import { childOf } from '../mapping/child.ts'
import { childScope } from '../memory/scope.ts'
import { RunFailure, throwIfAborted } from '../model/errors.ts'
import type { Place } from '../model/events.ts'
import type { Delegations } from './delegations.ts'
import type { Frame } from './frame.ts'

/** Runs an agent in a frame. */
type Execute = (agent: Agent, input: Value, frame: Frame) => Promise<Value>

/** The `delegate` of one execution of an agent. */
export function createDelegate(frame: Frame, context: RunContext, delegations: Delegations, execute: Execute) {
  return (alias: string, input: Value, options: DelegateOptions = {}): Promise<Value> => {
    const siblings = options.signal === undefined ? [] : [options.signal]
    const link = linkSignals([frame.cancel, delegations.signal, ...siblings])
    const delegation = { alias, place: options.place ?? {}, cancel: link.signal }
    // A copy: what is approved is what the sub-agent gets, whoever else holds the input.
    const work = delegate(delegation, cloneValue(input), frame, context, execute)
    return delegations.track(work.finally(link.close))
  }
}

interface Delegation {
  readonly alias: string
  readonly place: Place
  /** Stops it, the question for its approval included. */
  readonly cancel: AbortSignal
}

async function delegate(
  { alias, place, cancel }: Delegation,
  input: Value,
  frame: Frame,
  context: RunContext,
  execute: Execute,
): Promise<Value> {
  throwIfAborted(cancel, context.path)
  const child = childOf({ agent: context.agent, context }, alias)
  const entry = context.agent.document.action_space?.local_agents?.find((candidate) => candidate.alias === alias)
  context.ledger.enterDelegation()
  await approve(alias, input, entry?.approval, cancel, context)
  const scope = childScope(frame.memoryScope, entry?.memory_scope_strategy, alias)
  const childFrame: Frame = {
    run: frame.run,
    path: [...context.path, alias],
    cancel,
    governance: context.governance,
    ledger: context.ledger,
    ...(scope === undefined ? {} : { memoryScope: scope }),
    ...(frame.journal === undefined ? {} : { journal: frame.journal.below(alias + placeText(place)) }),
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

async function approve(
  alias: string,
  input: Value,
  declared: Approval | undefined,
  cancel: AbortSignal,
  context: RunContext,
): Promise<void> {
  const link = linkSignals([context.signal, cancel])
  const approval = declared === undefined ? {} : { approval: declared }
  const intent = { kind: 'agent', target: alias, names: [], args: input, over: 'input', ...approval } as const
  try {
    await requireApproval(intent, { ...context, signal: link.signal })
  } finally {
    link.close()
  }
}

/** A sub-agent's failure as its parent's. What ends this agent as well is not the sub-agent's failure, and stays as it is. */
function wrap(thrown: unknown, alias: string, place: Place, context: RunContext): unknown {
  if (!(thrown instanceof RunFailure)) return thrown
  const { error } = thrown
  const ours = error.code === 'limit_exceeded' && error.agent.length <= context.path.length
  if (ours || error.code === 'cancelled') return thrown
  const message = `${alias}${placeText(place)} failed: ${error.message}`
  return new RunFailure({
    code: 'agent_failed',
    message,
    agent: context.path,
    cause: error,
    details: { ...place, alias },
  })
}

function placeText({ step, iteration, item }: Place): string {
  const parts = [
    step === undefined ? '' : `step ${step}`,
    iteration === undefined ? '' : `iteration ${iteration}`,
    item === undefined ? '' : `item ${item}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
