/** The input of a sub-agent: by its mapping, or the parent's whole input (OPEN-23). */
import { type InputMapping, type MappingFault, mapInput, type SourceLookup } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'
import { childOf } from './child.ts'

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
  const message = `the input of ${alias} cannot be made: ${faults.map(describe).join('; ')}`
  const details = faults.map(({ code, message: reason, field, item }) => ({
    code,
    message: reason,
    field,
    ...(item === undefined ? {} : { item }),
  }))
  return new RunFailure({ code: first?.code ?? 'type_mismatch', message, agent, details })
}

function describe({ message, item }: MappingFault): string {
  return item === undefined ? message : `item ${item}: ${message}`
}
