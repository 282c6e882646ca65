/** Builds a sub-agent's input from its mapping, or passes the parent's input (decision 0019, OPEN-23). */
import { type Agent, type InputMapping, type MappingFault, mapInput, type SourceLookup } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'

export function stepInput(
  call: PolicyCall<unknown>,
  step: { readonly agent: string; readonly input_mapping?: InputMapping },
  sources: SourceLookup,
): Value {
  if (step.input_mapping === undefined) return call.input
  const child = childOf(call, step.agent)
  const mapped = mapInput(step.input_mapping, sources, child.document.interface.input)
  if (!mapped.ok) throw mappingFailure(step.agent, mapped.error, call.context.path)
  return mapped.value
}

export function mappingFailure(alias: string, faults: readonly MappingFault[], agent: readonly string[]): RunFailure {
  const [first] = faults
  const reasons = faults.map(({ message, item }) => (item === undefined ? message : `item ${item}: ${message}`))
  const message = `cannot build the input of ${alias}: ${reasons.join('; ')}`
  const details = faults.map((fault) => ({ ...fault }))
  return new RunFailure({ code: first?.code ?? 'type_mismatch', message, agent, details })
}

/** Returns a sub-agent or throws. Loading does not check the aliases of vendor policies and of agents built by hand. */
export function childOf(call: Pick<PolicyCall<unknown>, 'agent' | 'context'>, alias: string): Agent {
  const child = call.agent.agents.get(alias)
  if (child !== undefined) return child
  const aliases = [...call.agent.agents.keys()].join(', ')
  const message = `unknown local agent ${JSON.stringify(alias)}; available: ${aliases === '' ? 'none' : aliases}`
  throw new RunFailure({ code: 'unknown_agent', message, agent: call.context.path })
}

export interface StepRecord {
  readonly alias: string
  /** Position in the list of steps. */
  readonly index: number
  readonly input: Value
  readonly output: Value
}

/** Creates the lookup of path sources: the parent's input, and the latest execution of each alias (OPEN-12). */
export function sourcesOf(agent: Agent, input: Value, records: readonly StepRecord[]): SourceLookup {
  return (source, direction) => {
    if (source === 'parent') {
      // OPEN-7: the parent has no output while its policy runs.
      return direction === 'input' ? { value: input, schema: agent.document.interface.input } : undefined
    }
    const record = records.findLast((candidate) => candidate.alias === source)
    const child = agent.agents.get(source)
    if (record === undefined || child === undefined) return undefined
    return { value: record[direction], schema: child.document.interface[direction] }
  }
}
