/** `agf.sequential`: steps in order, each after the one before it. */
import type { SequentialConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { formOutput } from '../mapping/output-from.ts'
import { runSteps } from './steps.ts'

/** Runs the steps; the default result is that of the last one. */
export async function runSequential(call: PolicyCall<SequentialConfig>): Promise<Value> {
  const records = await runSteps(call, call.config.steps)
  return formOutput(call.config.output_from, 'last', records, call.context)
}
