/** Runs an agent from input to result: `prepare` resolves bindings, `execute-agent` runs agents in a `RunState`. */
import type { Agent } from '@joust/agentformat'
import { linkSignals } from '@joust/io'
import { describeValue, err, isRecord, ok, type Result, type Value } from '@joust/source'
import { usageOf } from '../budget/agent-budget.ts'
import type { OpenedJournal } from '../journal/journal.ts'
import { rootScope } from '../memory/memory.ts'
import { type ClientToolCall, ClientToolsCalled } from '../model/conversation.ts'
import { type RunError, RunFailure } from '../model/errors.ts'
import type { Journal } from '../model/journal.ts'
import { toValue } from '../model/json-value.ts'
import type { RunOptions, ServedResult } from '../model/options.ts'
import { executeAgent } from './execute-agent.ts'
import { asFailure, type Frame } from './frame.ts'
import { type PrepareOptions, prepareRun } from './prepare.ts'
import { type Host, openRunState, type RunState } from './run-state.ts'

/** Runs an agent. Never rejects: all errors are in the result. */
export async function runAgent(
  host: Host,
  agent: Agent,
  input: Value,
  options: RunOptions,
  opened?: OpenedJournal,
): Promise<Result<ServedResult, RunError>> {
  const link = linkSignals([host.closing, options.signal, opened?.broken])
  const run = openRunState(host, options, opened?.journal)
  try {
    requireAgent(agent)
    const value = toValue(input)
    const { name } = agent.document.metadata
    run.emit({ type: 'run-started', name, input: value.ok ? value.value : null }, [])
    if (!value.ok) throw inputFailure(value.error)
    if (opened !== undefined && opened.recorded > 0)
      run.emit({ type: 'run-resumed', steps: opened.recorded, finished: false }, [])
    run.prepared = await prepareRun(host, agent, options, link.signal, run.emit)
    for (const { agent: path, message } of run.prepared.absent)
      run.emit({ type: 'warning', code: 'policy_unresolved', message }, path)
    const outcome = await executeRoot(agent, value.value, rootFrame(run, options, link.signal, opened?.journal))
    const result: ServedResult = { ...outcome, usage: usageOf(run.totals, run.clock), warnings: run.warnings }
    const finished = { type: 'run-finished', output: result.output ?? null, usage: result.usage } as const
    run.emit(finished, [], run.prepared.policies.get(agent))
    return ok(result)
  } catch (thrown) {
    const { error } = asFailure(thrown, link.signal, [])
    run.emit({ type: 'run-failed', error, usage: usageOf(run.totals, run.clock) }, [], run.prepared.policies.get(agent))
    return err(error)
  } finally {
    run.end()
    link.close()
  }
}

/** Throws unless the value is an agent. Untyped callers often pass the entire `loadAgent` result. */
function requireAgent(agent: unknown): void {
  if (isRecord(agent) && isRecord(agent.document)) return
  const hint = isRecord(agent) && 'agent' in agent ? '; pass its field "agent"' : ''
  const message = `expected an agent from loadAgent, got ${describeValue(agent)}${hint}`
  throw new RunFailure({ code: 'config_invalid', message, agent: [] })
}

export function emitFinished(
  host: Host,
  agent: Agent,
  input: Value,
  options: RunOptions,
  { journal, recorded }: OpenedJournal,
  { output = null, usage }: ServedResult,
): void {
  const run = openRunState(host, options, journal)
  run.emit({ type: 'run-started', name: agent.document.metadata.name, input }, [])
  run.emit({ type: 'run-resumed', steps: recorded, finished: true }, [])
  run.emit({ type: 'run-finished', output, usage }, [])
  run.end()
}

/** Prepares a run; returns the error that would prevent it. Never rejects. */
export async function prepareAgent(host: Host, agent: Agent, options: PrepareOptions): Promise<Result<void, RunError>> {
  const link = linkSignals([host.closing, options.signal])
  try {
    requireAgent(agent)
    await prepareRun(host, agent, options, link.signal, () => {})
    link.signal.throwIfAborted()
    return ok(undefined)
  } catch (thrown) {
    return err(asFailure(thrown, link.signal, []).error)
  } finally {
    link.close()
  }
}

function inputFailure(reason: string): RunFailure {
  return new RunFailure({ code: 'input_validation', message: `the input is not valid JSON: ${reason}`, agent: [] })
}

function rootFrame(run: RunState, options: RunOptions, cancel: AbortSignal, journal: Journal | undefined): Frame {
  const { memoryScope, conversation: messages, clientTools, context, state } = options
  const isServed = [messages, clientTools, context, state].some((part) => part !== undefined)
  const scope = memoryScope === undefined || memoryScope === '' ? undefined : rootScope(memoryScope)
  const served = { recalled: [], messages: messages ?? [], clientTools: clientTools ?? [], context, state }
  const conversation = isServed ? served : undefined
  return { run, path: [], cancel, policies: [], journal, memoryScope: scope, conversation }
}

type RootResult = { readonly output: Value } | { readonly clientToolCalls: readonly ClientToolCall[] }

async function executeRoot(agent: Agent, input: Value, frame: Frame): Promise<RootResult> {
  try {
    return { output: await executeAgent(agent, input, frame) }
  } catch (thrown) {
    if (thrown instanceof ClientToolsCalled) return { clientToolCalls: thrown.calls }
    throw thrown
  }
}
