/** `agf.loop`: repeats its steps until the exit condition matches or the maximum number of iterations is reached. */
import type { LoopConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { conditionHolds } from '../mapping/conditions.ts'
import { buildOutput } from '../mapping/output-from.ts'
import { type StepRecord, sourcesOf } from '../mapping/step-input.ts'
import { runtimeLimits } from '../model/limits.ts'
import { runSteps } from './sequential.ts'

/** Runs the loop. Iterations share no data (decision 0019, OPEN-30). By default, returns the last output (OPEN-28). */
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
  // OPEN-31: reaching the maximum is not a failure.
  if (!exited)
    context.warn('max_iterations_reached', `the exit condition did not match in ${max_iterations} iterations`)
  return buildOutput(output_from, 'last', records, context)
}
