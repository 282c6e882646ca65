/** `agf.batch`: runs one sub-agent for each list element (decision 0019, OPEN-32). */
import { type BatchConfig, batchShape, mapItems } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { childOf, mappingFailure, sourcesOf } from '../mapping/step-input.ts'
import { RunFailure } from '../model/errors.ts'
import { runConcurrently } from './run-concurrently.ts'

/** Runs items concurrently, up to the host's limit. Outputs are in item order. */
export async function runBatch(call: PolicyCall<BatchConfig>): Promise<Value> {
  const { agent: alias, input_mapping, max_batch_count = 0 } = call.config
  const { context } = call
  const target = childOf(call, alias).document.interface.input
  const most = max_batch_count === 0 ? Number.POSITIVE_INFINITY : max_batch_count
  const mapped = mapItems(input_mapping, sourcesOf(call.agent, call.input, []), target, most)
  if (!mapped.ok) throw mappingFailure(alias, mapped.error, context.path)
  const { inputs, total } = mapped.value
  if (inputs.length < total)
    context.warn('batch_truncated', `only ${inputs.length} of ${total} items run because of max_batch_count`)
  const width = context.options.batchConcurrency ?? 1
  const outputs = await runConcurrently(inputs, width, context.path, async (input, item, signal) => {
    context.emit({ type: 'step-started', alias, item })
    const output = await call.delegate(alias, input, { place: { alias, item }, signal })
    context.emit({ type: 'step-finished', alias, item })
    return output
  })
  return shape(outputs, call)
}

function shape(outputs: readonly Value[], call: PolicyCall<BatchConfig>): Value {
  const form = batchShape(call.agent.document.interface.output)
  if (form === undefined) {
    const message = 'interface.output cannot contain a list of outputs'
    throw new RunFailure({ code: 'batch_output_shape', message, agent: call.context.path })
  }
  return form.kind === 'list' ? outputs : { [form.name]: outputs }
}
