/** The input of a sub-agent: by its mapping, or the parent's whole input (OPEN-23). */
import { type Agent, type InputMapping, type MappingFault, mapInput, type SourceLookup } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'

/** The input of a step. `place` names it in findings. */
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

/** The failure of an input that could not be made. */
export function mappingFailure(alias: string, faults: readonly MappingFault[], agent: readonly string[]): RunFailure {
  const [first] = faults
  const message = `the input of ${alias} cannot be built: ${faults.map(describe).join('; ')}`
  const details = faults.map((fault) => ({ ...fault }))
  return new RunFailure({ code: first?.code ?? 'type_mismatch', message, agent, details })
}

function describe({ message, item }: MappingFault): string {
  return item === undefined ? message : `item ${item}: ${message}`
}

/** The sub-agent of an alias. Loading has checked it, but not for an agent built by hand, nor for a vendor policy. */
export function childOf(call: Pick<PolicyCall<unknown>, 'agent' | 'context'>, alias: string): Agent {
  const child = call.agent.agents.get(alias)
  if (child !== undefined) return child
  const known = [...call.agent.agents.keys()].join(', ')
  const message = `there is no local agent ${JSON.stringify(alias)}; the local agents are: ${known === '' ? 'none' : known}`
  throw new RunFailure({ code: 'unknown_agent', message, agent: call.context.path })
}

/** A sub-agent that ran. */
export interface StepRecord {
  readonly alias: string
  /** Its place in the list of steps. */
  readonly index: number
  readonly input: Value
  readonly output: Value
}

/** The sources: the parent's input, and the latest execution of each alias (OPEN-12). */
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
