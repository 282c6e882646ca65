/** `agf.parallel`: runs all sub-agents concurrently, in no particular order. */
import type { ParallelConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { buildOutput } from '../mapping/output-from.ts'
import { runConcurrently } from './run-concurrently.ts'
import { runStep } from './sequential.ts'

/** Runs all sub-agents. By default, merges their outputs. */
export async function runParallel(call: PolicyCall<ParallelConfig>): Promise<Value> {
  const { agents, output_from } = call.config
  const records = await runConcurrently(agents, agents.length, call.context.path, (step, index, signal) =>
    runStep(call, step, { step: index }, [], signal),
  )
  return buildOutput(output_from, 'merge', records, call.context)
}
