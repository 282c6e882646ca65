/** `agf.sequential`: runs its steps in order. Also implements the steps of other policies. */
import type { PolicyStep, SequentialConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { buildOutput } from '../mapping/output-from.ts'
import { type StepRecord, sourcesOf, stepInput } from '../mapping/step-input.ts'
import type { PolicyPlace } from '../model/events.ts'

/** Runs the steps. By default, returns the last step's output. */
export async function runSequential(call: PolicyCall<SequentialConfig>): Promise<Value> {
  const records = await runSteps(call, call.config.steps)
  return buildOutput(call.config.output_from, 'last', records, call.context)
}

/** Runs steps in order. Mappings may use the parent's input and earlier steps. */
export async function runSteps(
  call: PolicyCall<unknown>,
  steps: readonly PolicyStep[],
  place: PolicyPlace = {},
): Promise<readonly StepRecord[]> {
  const records: StepRecord[] = []
  for (const [index, step] of steps.entries())
    records.push(await runStep(call, step, { ...place, step: index }, records))
  return records
}

export async function runStep(
  call: PolicyCall<unknown>,
  step: PolicyStep,
  place: PolicyPlace & { readonly step: number },
  earlier: readonly StepRecord[],
  signal?: AbortSignal,
): Promise<StepRecord> {
  const { context } = call
  const here = { ...place, alias: step.agent }
  const input = stepInput(call, step, sourcesOf(call.agent, call.input, earlier))
  context.emit({ type: 'step-started', ...here })
  const output = await call.delegate(step.agent, input, { place: here, signal })
  context.emit({ type: 'step-finished', ...here })
  return { alias: step.agent, index: place.step, input, output }
}
