/** Runs an agent with leaves, and shows what happened. */
import type { Agent } from '@joust/agentformat'
import type { Value } from '@joust/source'
import { expect } from 'vitest'
import type { RunError } from '../../src/model/errors.ts'
import type { RunEvent } from '../../src/model/events.ts'
import type { RunOptions, RunResult, RuntimeOptions } from '../../src/model/options.ts'
import { createRuntime } from '../../src/runtime.ts'
import { leafPolicy } from './agents.ts'

/** The result of a run, with its events. */
export interface Ran {
  readonly result: RunResult | undefined
  readonly error: RunError | undefined
  readonly events: readonly RunEvent[]
}

/** Runs an agent with a runtime of its own. */
export async function run(
  agent: Agent,
  input: Value,
  options: RuntimeOptions = {},
  runOptions: Omit<RunOptions, 'clientTools'> = {},
): Promise<Ran> {
  const events: RunEvent[] = []
  const runtime = createRuntime({
    env: {},
    ...options,
    policies: { 'x-test.leaf': leafPolicy, ...options.policies },
    onEvent(event) {
      events.push(event)
      return options.onEvent?.(event)
    },
  })
  const outcome = await runtime.run(agent, input, runOptions)
  await runtime.close()
  return { result: outcome.ok ? outcome.value : undefined, error: outcome.ok ? undefined : outcome.error, events }
}

/** The output of a run that must succeed. */
export async function outputOf(...args: Parameters<typeof run>): Promise<Value> {
  const { result, error } = await run(...args)
  expect(error).toBeUndefined()
  return result?.output ?? null
}

/** The error of a run that must fail. */
export async function errorOf(...args: Parameters<typeof run>): Promise<RunError> {
  const { result, error } = await run(...args)
  expect(result).toBeUndefined()
  if (error === undefined) throw new Error('the run went well')
  return error
}
