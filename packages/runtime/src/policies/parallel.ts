/** `agf.parallel`: all sub-agents together; the order of the list is not an order of execution. */
import type { ParallelConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { formOutput } from '../mapping/output-from.ts'
import { runStep } from './sequential.ts'
import { sideBySide } from './side-by-side.ts'

/** Runs all sub-agents; the default result is the merge of theirs. */
export async function runParallel(call: PolicyCall<ParallelConfig>): Promise<Value> {
  const { agents, output_from } = call.config
  const records = await sideBySide(agents, agents.length, call.context.path, (step, index, signal) =>
    runStep(call, step, { step: index }, [], signal),
  )
  return formOutput(output_from, 'merge', records, call.context)
}
