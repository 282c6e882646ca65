/** Runs the tool calls of a step. They start in order and run concurrently. */
import type { InterfaceSchema } from '@joust/agentformat'
import { didYouMean, err, type Value, type ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { errorObservation, type Observation, type RemoteThread } from '../model/connection.ts'
import type { ClientToolCall } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import type { ModelMessage, ModelToolCall } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { dispatch } from '../tools/dispatch.ts'
import { FINAL_OUTPUT } from '../tools/names.ts'
import { cutObservation, readArguments, toolResult } from './observations.ts'
import { finalToolSchema, validateAnswer } from './output.ts'
import type { StepTools } from './step-tools.ts'

interface CallResult {
  readonly observation?: Observation
  readonly client?: ClientToolCall
  readonly final?: { readonly value: Value } | undefined
  readonly invalid?: string | undefined
  readonly limit?: RunFailure | undefined
}

interface CallResults extends Pick<CallResult, 'final' | 'invalid' | 'limit'> {
  readonly message: ModelMessage
  readonly clientCalls: readonly ClientToolCall[]
}

/** Runs calls. Every call gets a result, in order, because providers require them. */
export async function runCalls(
  calls: readonly ModelToolCall[],
  tools: StepTools,
  output: InterfaceSchema,
  context: AgentContext,
): Promise<CallResults> {
  const width = context.options.callConcurrency ?? runtimeLimits.callConcurrency
  const results = await runAll(calls, (call) => beginCall(call, tools, output, context), width)
  const content = results.flatMap(({ observation }, index) => {
    const { toolCallId = '', toolName = '' } = calls[index] ?? {}
    return observation === undefined ? [] : [toolResult(toolCallId, toolName, fit(observation, toolName, context))]
  })
  return {
    message: { role: 'tool', content },
    clientCalls: results.flatMap(({ client }) => (client === undefined ? [] : [client])),
    final: results.at(-1)?.final,
    invalid: results.findLast(({ invalid }) => invalid !== undefined)?.invalid,
    limit: limitIn(results),
  }
}

/**
 * Starts one call at a time, so that approvals are requested in turn, and none after a final answer or an exceeded
 * limit.
 */
async function runAll(
  calls: readonly ModelToolCall[],
  begin: (call: ModelToolCall) => Promise<CallResult | ReadyCall>,
  width: number,
): Promise<readonly CallResult[]> {
  const results: CallResult[] = []
  const failures: unknown[] = []
  const running = new Set<Promise<void>>()
  const threads = new Map<RemoteThread, Promise<void>>()
  const store = async (index: number, result: Promise<CallResult>) => {
    try {
      results[index] = await result
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  try {
    for (const [index, call] of calls.entries()) {
      if (running.size >= width) await Promise.race(running)
      if (failures.length > 0) break
      const limit = limitIn(results)
      const started =
        limit === undefined ? await begin(call) : { observation: errorObservation(`not called: ${limit.message}`) }
      if ('make' in started) {
        const { make, thread } = started
        const before = thread === undefined ? undefined : threads.get(thread)
        const work = store(index, before === undefined ? make() : before.then(make)).then(
          () => void running.delete(work),
        )
        running.add(work)
        if (thread !== undefined) threads.set(thread, work)
      } else {
        results[index] = started
        if (started.final !== undefined) break
      }
    }
  } finally {
    await Promise.all(running)
  }
  if (failures.length > 0) throw failures[0]
  return results
}

function limitIn(results: readonly CallResult[]): RunFailure | undefined {
  // The list has holes for unfinished calls.
  return results.find((result) => result?.limit !== undefined)?.limit
}

interface ReadyCall {
  make(): Promise<CallResult>
  readonly thread: RemoteThread | undefined
}

async function beginCall(
  call: ModelToolCall,
  tools: StepTools,
  output: InterfaceSchema,
  context: AgentContext,
): Promise<CallResult | ReadyCall> {
  const { toolCallId: id, toolName: name } = call
  const refuse = (message: string): CallResult => {
    context.emit({ type: 'tool-failed', call: id, name, content: message })
    return { observation: errorObservation(message) }
  }
  const callable = tools.callables.get(name)
  const clientTool = tools.clientTools.get(name)
  const final = tools.final && name === FINAL_OUTPUT
  // Unknown tools are not executed (decision 0019, OPEN-48.4).
  if (callable === undefined && clientTool === undefined && !final) return refuse(unknownTool(name, tools))
  const args = readArguments(call.input)
  if (!args.ok) return refuse(`${name} was not called: ${args.error}`)
  if (final) return finish(args.value, output)
  if (clientTool !== undefined) return { client: { id, name: clientTool.name, args: args.value } }
  if (callable === undefined) return {}
  const limited = (thrown: unknown) => limitResult(thrown, name, context)
  try {
    const make = await dispatch(callable, args.value, id, context)
    return { thread: callable.thread, make: () => make().then((observation) => ({ observation }), limited) }
  } catch (thrown) {
    return limited(thrown)
  }
}

/** Returns the result of a call that was prevented by a limit. The closing call may still be made (OPEN-38). */
function limitResult(thrown: unknown, name: string, { signal }: AgentContext): CallResult {
  const isLimit = thrown instanceof RunFailure && thrown.error.code === 'limit_exceeded' && !signal.aborted
  if (!isLimit) throw thrown
  return { observation: errorObservation(`${name} was not called: ${thrown.message}`), limit: thrown }
}

function finish(args: ValueRecord, output: InterfaceSchema): CallResult {
  const value = finalToolSchema(output).outputOf(args)
  const answer = value === undefined ? err('the answer has no output') : validateAnswer(value, output)
  if (answer.ok) return { final: { value: answer.value }, observation: { content: 'accepted', isError: false } }
  return { invalid: answer.error, observation: errorObservation(answer.error) }
}

function unknownTool(name: string, tools: StepTools): string {
  const names = tools.tools.map((tool) => tool.name)
  const hint = names.length === 0 ? '' : `.${didYouMean(name, names)}`
  return `unknown tool ${JSON.stringify(name)}${hint}`
}

function fit(observation: Observation, name: string, context: AgentContext): Observation {
  const { observation: short, cut } = cutObservation(observation)
  if (cut !== undefined) context.warn('observation_cut', `the result of ${name} was truncated for the model: ${cut}`)
  return short
}
