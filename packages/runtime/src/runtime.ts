/** The runtime: runs agents with the bindings of a host. */
import type { Agent } from '@joust/agentformat'
import { eventsOf, systemClock } from '@joust/io'
import { err, type Result, type Value } from '@joust/source'
import { ConnectionPool } from './connections/connection-pool.ts'
import { openTelemetryListener } from './events/open-telemetry.ts'
import { asFailure } from './execute/frame.ts'
import type { PrepareOptions } from './execute/prepare.ts'
import { prepareAgent, runAgent } from './execute/run.ts'
import { runJournaled } from './execute/run-journaled.ts'
import type { RunError } from './model/errors.ts'
import type { RunEvent } from './model/events.ts'
import type { RunOptions, RunResult, RuntimeOptions, ServedResult } from './model/options.ts'

/** Options for a run without client tools, which has an output if it succeeds. See {@link createRuntime}. */
export type PlainRunOptions = Omit<RunOptions, 'clientTools'> & {
  /** Not supported here, because a run with client tools may end without an output. @default none */
  readonly clientTools?: never
}

export interface Runtime {
  /** Runs an agent. Never rejects: all errors are in the result. */
  run(agent: Agent, input: Value, options?: PlainRunOptions): Promise<Result<RunResult, RunError>>
  run(agent: Agent, input: Value, options: RunOptions): Promise<Result<ServedResult, RunError>>
  /**
   * Runs an agent, yields its events as they happen, such as pieces of text, and returns the result. Leaving the loop
   * early cancels the run.
   *
   * @example
   * for await (const event of runtime.events(agent, 'Hello')) if (event.type === 'model-text') show(event.delta)
   */
  events(
    agent: Agent,
    input: Value,
    options?: RunOptions,
  ): AsyncGenerator<RunEvent, Result<ServedResult, RunError>, void>
  /** Checks all bindings that a run needs. Never rejects: all errors are in the result. */
  prepare(agent: Agent, options?: PrepareOptions): Promise<Result<void, RunError>>
  /** Cancels current runs and closes all connections. May be called repeatedly. */
  close(): Promise<void>
}

/**
 * Creates a runtime with the bindings of a host.
 *
 * @example
 * const runtime = createRuntime({ models: { 'openai/gpt-5': model }, tools: { add: tool({ schema, call: ({ a, b }) => a + b }) } })
 */
export function createRuntime(hostOptions: RuntimeOptions = {}): Runtime {
  const options: RuntimeOptions = { env: globalThis.process?.env ?? {}, ...hostOptions }
  const { clock = systemClock, random = Math.random } = options
  const pool = new ConnectionPool(options, clock)
  const closing = new AbortController()
  const host = { options, clock, random, pool, models: new Map(), closing: closing.signal }
  const running = new Set<Promise<unknown>>()
  let telemetry: ReturnType<typeof openTelemetryListener> | undefined
  const start = async (agent: Agent, input: Value, runOptions: RunOptions) => {
    telemetry ??= openTelemetryListener()
    const listeners = [options.onEvent, runOptions.onEvent, (await telemetry)()].filter((one) => one !== undefined)
    const { journal } = runOptions
    if (journal === undefined) return runAgent({ ...host, listeners }, agent, input, runOptions)
    return runJournaled({ ...host, listeners }, agent, input, { ...runOptions, journal })
  }
  const tracked = async <T>(pending: Promise<T>): Promise<T> => {
    running.add(pending)
    try {
      return await pending
    } finally {
      running.delete(pending)
    }
  }
  // Options may have wrong types if the host is not type-checked.
  const failed = (thrown: unknown) => err(asFailure(thrown, closing.signal, []).error)
  const run = (agent: Agent, input: Value, runOptions: RunOptions = {}) =>
    tracked(start(agent, input, runOptions).catch(failed))
  return {
    // Without client tools, every successful run has an output.
    run: run as Runtime['run'],
    events(agent, input, runOptions = {}) {
      const { onEvent, signal: outer } = runOptions
      return eventsOf((report, signal) => {
        const onBoth = (event: RunEvent) => {
          report(event)
          onEvent?.(event)
        }
        return run(agent, input, { ...runOptions, signal, onEvent: onBoth })
      }, outer)
    },
    prepare(agent, runOptions = {}) {
      return tracked(prepareAgent({ ...host, listeners: [] }, agent, runOptions))
    },
    async close() {
      closing.abort(new Error('the runtime was closed'))
      await Promise.allSettled(running)
      await pool.close()
      await options.memory?.close?.()
    },
  }
}
