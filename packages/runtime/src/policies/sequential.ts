/** `agf.sequential`: steps in order, each after the one before it; other policies run their steps in the same way. */
import type { PolicyStep, SequentialConfig } from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { PolicyCall } from '../context/policy-call.ts'
import { formOutput } from '../mapping/output-from.ts'
import { type StepRecord, sourcesOf, stepInput } from '../mapping/step-input.ts'
import type { PolicyPlace } from '../model/events.ts'

/** Runs the steps; the default result is that of the last one. */
export async function runSequential(call: PolicyCall<SequentialConfig>): Promise<Value> {
  const records = await runSteps(call, call.config.steps)
  return formOutput(call.config.output_from, 'last', records, call.context)
}

/** Runs steps in order; a mapping sees the parent's input and the steps before it. */
export async function runSteps(
  call: PolicyCall<unknown>,
  steps: readonly PolicyStep[],
  place: PolicyPlace = {},
): Promise<readonly StepRecord[]> {
  const records: StepRecord[] = []
  for (const [index, step] of steps.entries()) {
    records.push(await runStep(call, step, { ...place, step: index }, records))
  }
  return records
}

/** Runs one step. */
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
