/** `agf.sequential`: steps in order, each after the one before it. */
import type { SequentialConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import { formOutput } from '../output-from.ts'
import type { PolicyCall } from '../policy-call.ts'
import { runSteps } from './steps.ts'

/** Runs the steps; the default result is the last one's. */
export async function runSequential(call: PolicyCall<SequentialConfig>): Promise<Value> {
  const records = await runSteps(call, call.config.steps)
  return formOutput(call.config.output_from, 'last', records, call.context)
}
