/** `agf.loop`: the steps over and over, until the exit condition holds or the iterations are used up. */

import type { LoopConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { conditionHolds } from '../mapping/conditions.ts'
import { formOutput } from '../mapping/output-from.ts'
import { type StepRecord, sourcesOf } from '../mapping/step-input.ts'
import { runtimeLimits } from '../model/limits.ts'
import { runSteps } from './sequential.ts'

/** Runs the loop; no data passes between iterations (OPEN-30), the result is that of the last one (OPEN-28). */
export async function runLoop(call: PolicyCall<LoopConfig>): Promise<Value> {
  const { steps, max_iterations = runtimeLimits.loopIterations, exit_condition, output_from } = call.config
  const { context } = call
  let records: readonly StepRecord[] = []
  let exited = exit_condition === undefined
  for (let iteration = 0; iteration < max_iterations; iteration++) {
    records = await runSteps(call, steps, { iteration })
    if (exit_condition === undefined) continue
    exited = conditionHolds(exit_condition, sourcesOf(call.agent, call.input, records), context)
    if (exited) break
  }
  // OPEN-31: reaching the bound is a normal end.
  if (!exited) context.warn('max_iterations_reached', `the exit condition did not hold in ${max_iterations} iterations`)
  return formOutput(output_from, 'last', records, context)
}
