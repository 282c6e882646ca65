/** Delegation to a local agent: approval, depth, memory, execution, and wrapping of its failure (OPEN-24). */
import type { Agent } from '@joust/agentformat'
import type { Value } from '@joust/source'
import { linkSignals } from './abortable.ts'
import { requireApproval } from './approvals/ask.ts'
import type { Frame } from './frame.ts'
import { childOf } from './mapping/child.ts'
import { childScope } from './memory/scope.ts'
import { RunFailure } from './model/errors.ts'
import type { Place } from './model/events.ts'
import type { DelegateOptions } from './policy-call.ts'
import type { RunContext } from './run-context.ts'

/** Runs an agent in a frame. */
export type Execute = (agent: Agent, input: Value, frame: Frame) => Promise<Value>

/** The `delegate` of one execution of an agent. */
export function createDelegate(frame: Frame, context: RunContext, execute: Execute) {
  return async (alias: string, input: Value, options: DelegateOptions = {}): Promise<Value> => {
    const child = childOf({ agent: context.agent, context }, alias)
    const entry = context.agent.document.action_space?.local_agents?.find((candidate) => candidate.alias === alias)
    context.ledger.enterDelegation()
    const approval = entry?.approval === undefined ? {} : { approval: entry.approval }
    await requireApproval({ kind: 'agent', target: alias, names: [], args: input, over: 'input', ...approval }, context)
    const scope = childScope(frame.memoryScope, entry?.memory_scope_strategy, alias)
    const link = options.signal === undefined ? undefined : linkSignals([frame.cancel, options.signal])
    const childFrame: Frame = {
      run: frame.run,
      path: [...context.path, alias],
      cancel: link?.signal ?? frame.cancel,
      governance: context.governance,
      ledger: context.ledger,
      ...(scope === undefined ? {} : { memoryScope: scope }),
    }
    const place = { ...options.place, alias, to: 'local' as const }
    context.emit({ type: 'delegation-started', ...place })
    let ok = false
    try {
      const output = await execute(child, input, childFrame)
      ok = true
      return output
    } catch (thrown) {
      throw wrap(thrown, alias, options.place ?? {}, context)
    } finally {
      link?.close()
      context.emit({ type: 'delegation-finished', ...place, ok })
    }
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
