/** Steps one after the other, as `agf.sequential` and each iteration of `agf.loop` run them. */
import type { PolicyStep } from '@joust/agentformat'
import type { PolicyCall } from '../context/policy-call.ts'
import { type StepRecord, sourcesOf, stepInput } from '../mapping/step-input.ts'
import type { PolicyPlace } from '../model/events.ts'

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
