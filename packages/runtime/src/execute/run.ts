/** One whole run, from input to result: `prepare` finds what it needs, `execute-agent` runs each agent in a `RunState`. */

import type { Agent } from '@joust/agentformat'
import { type Clock, linkSignals } from '@joust/io'
import { err, ok, type Result, type Value } from '@joust/source'
import { usageOf } from '../budget/totals.ts'
import type { ConnectionPool } from '../connections/connection-pool.ts'
import type { OpenedJournal } from '../journal/journal.ts'
import { rootScope } from '../memory/scope.ts'
import { type ClientToolCall, ClientToolsCalled, type Conversation } from '../model/conversation.ts'
import { type RunError, RunFailure } from '../model/errors.ts'
import type { EventListener } from '../model/events.ts'
import type { Journal } from '../model/journal.ts'
import { toValue } from '../model/json-value.ts'
import type { RunOptions, RuntimeOptions, ServedResult } from '../model/options.ts'
import { modelOf } from '../models/model-of.ts'
import { executeAgent } from './execute-agent.ts'
import { asFailure, type Frame } from './frame.ts'
import { type Prepared, prepareRun } from './prepare.ts'
import { openRunState, type RunState } from './run-state.ts'

/** What a run gets from its runtime. */
export interface Host {
  readonly options: RuntimeOptions
  readonly clock: Clock
  /** A number from 0 up to 1. */
  random(): number
  readonly pool: ConnectionPool
  /** Fires when the runtime is closed. */
  readonly closing: AbortSignal
  readonly listeners: readonly EventListener[]
}

const nobody = { policies: [] }

/** Runs an agent. Whatever goes wrong is in the result; it never rejects. */
export async function runAgent(
  host: Host,
  agent: Agent,
  input: Value,
  given: RunOptions,
  kept?: OpenedJournal,
): Promise<Result<ServedResult, RunError>> {
  const stops = [host.closing, given.signal, kept?.broken].filter((signal) => signal !== undefined)
  const link = linkSignals(stops)
  const found: { prepared?: Prepared } = {}
  const run = openRun(host, found, given, kept?.journal)
  const ofRoot = () => ({ policies: run.policiesOf(agent) })
  try {
    const value = toValue(input)
    const { name } = agent.document.metadata
    run.emit({ type: 'run-started', name, input: value.ok ? value.value : null }, [], nobody)
    if (!value.ok) throw inputFailure(value.error)
    if (kept !== undefined && kept.recorded > 0)
      run.emit({ type: 'run-resumed', steps: kept.recorded, finished: false }, [], nobody)
    found.prepared = await prepareRun(host, agent, given, link.signal, (event, path) => run.emit(event, path, nobody))
    warnOfAbsent(found.prepared, run)
    const outcome = await executeRoot(agent, value.value, rootFrame(run, given, link.signal, kept?.journal))
    const result: ServedResult = { ...outcome, usage: usageOf(run.totals, run.clock), warnings: run.warnings }
    run.emit({ type: 'run-finished', output: result.output ?? null, usage: result.usage }, [], ofRoot())
    return ok(result)
  } catch (thrown) {
    const { error } = asFailure(thrown, link.signal, [])
    run.emit({ type: 'run-failed', error, usage: usageOf(run.totals, run.clock) }, [], ofRoot())
    return err(error)
  } finally {
    run.end()
    link.close()
  }
}

/** Tells of a run that had finished before. */
export function tellFinished(
  host: Host,
  agent: Agent,
  input: Value,
  given: RunOptions,
  { journal, recorded }: OpenedJournal,
  { output = null, usage }: ServedResult,
): void {
  const run = openRun(host, {}, given, journal)
  run.emit({ type: 'run-started', name: agent.document.metadata.name, input }, [], nobody)
  run.emit({ type: 'run-resumed', steps: recorded, finished: true }, [], nobody)
  run.emit({ type: 'run-finished', output, usage }, [], nobody)
  run.end()
}

/** Prepares as a run would, and gives why it cannot; it never rejects. */
export async function prepareAgent(
  host: Host,
  agent: Agent,
  given: Pick<RunOptions, 'signal' | 'memoryScope'>,
): Promise<RunError | undefined> {
  const link = linkSignals([host.closing, ...(given.signal === undefined ? [] : [given.signal])])
  try {
    await prepareRun(host, agent, given, link.signal, () => {})
    link.signal.throwIfAborted()
    return undefined
  } catch (thrown) {
    return asFailure(thrown, link.signal, []).error
  } finally {
    link.close()
  }
}

function openRun(
  { options, clock, random, pool, listeners }: Host,
  found: { readonly prepared?: Prepared },
  { stream }: RunOptions,
  journal: Journal | undefined,
): RunState {
  return openRunState({
    id: runId(random),
    ...(journal === undefined ? {} : { journal }),
    options,
    clock,
    random,
    pool,
    listeners,
    ...(stream === undefined ? {} : { stream }),
    policiesOf: (agent) => found.prepared?.policies.get(agent) ?? [],
    async model(agent, config) {
      return found.prepared?.models.get(agent) ?? modelOf(agent, config, options, [])
    },
  })
}

/** Sixteen hexadecimal digits; enough to tell runs apart. */
function runId(random: () => number): string {
  const part = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return `run-${part()}${part()}`
}

function inputFailure(reason: string): RunFailure {
  return new RunFailure({ code: 'input_validation', message: `the input is not JSON: ${reason}`, agent: [] })
}

function warnOfAbsent({ absent }: Prepared, run: RunState): void {
  for (const { agent, message } of absent)
    run.emit({ type: 'warning', code: 'policy_unresolved', message }, agent, nobody)
}

function rootFrame(run: RunState, given: RunOptions, cancel: AbortSignal, journal: Journal | undefined): Frame {
  const { memoryScope, conversation, clientTools, context, state } = given
  const served = conversation !== undefined || clientTools !== undefined || context !== undefined || state !== undefined
  const extras: Conversation = {
    recalled: [],
    messages: conversation ?? [],
    clientTools: clientTools ?? [],
    ...(context === undefined ? {} : { context }),
    ...(state === undefined ? {} : { state }),
  }
  return {
    run,
    path: [],
    cancel,
    governance: nobody,
    ...(journal === undefined ? {} : { journal }),
    ...(memoryScope === undefined || memoryScope === '' ? {} : { memoryScope: rootScope(memoryScope) }),
    ...(served ? { conversation: extras } : {}),
  }
}

type Outcome = { readonly output: Value } | { readonly clientToolCalls: readonly ClientToolCall[] }

async function executeRoot(agent: Agent, input: Value, frame: Frame): Promise<Outcome> {
  try {
    return { output: await executeAgent(agent, input, frame) }
  } catch (thrown) {
    if (thrown instanceof ClientToolsCalled) return { clientToolCalls: thrown.calls }
    throw thrown
  }
}
