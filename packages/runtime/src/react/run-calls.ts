/** The tool calls of one step: started in the order in which the model asked for them, made side by side. */
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
import type { Offer } from './offer.ts'
import { finalToolSchema, fittingAnswer } from './output.ts'

interface CallResult {
  readonly observation?: Observation
  readonly client?: ClientToolCall
  /** The answer, given by a call. */
  readonly final?: { readonly value: Value } | undefined
  /** Why an answer that was given by a call does not count. */
  readonly invalid?: string | undefined
  /** A limit that kept a call from starting. */
  readonly limit?: RunFailure | undefined
}

interface CallResults extends Pick<CallResult, 'final' | 'invalid' | 'limit'> {
  /** The observations, as the message that answers the calls. */
  readonly message: ModelMessage
  readonly clientCalls: readonly ClientToolCall[]
}

/** Makes the calls. Every call is answered, in order, so that providers still accept the conversation. */
export async function runCalls(
  calls: readonly ModelToolCall[],
  offer: Offer,
  output: InterfaceSchema,
  context: AgentContext,
): Promise<CallResults> {
  const width = context.options.callConcurrency ?? runtimeLimits.callConcurrency
  const results = await runAll(calls, (call) => beginCall(call, offer, output, context), width)
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

/** Begins one call at a time, so that people are asked about one at a time; none begins after an answer or a limit. */
async function runAll(
  calls: readonly ModelToolCall[],
  begin: (call: ModelToolCall) => Promise<CallResult | Begun>,
  width: number,
): Promise<readonly CallResult[]> {
  const results: CallResult[] = []
  const failures: unknown[] = []
  const underWay = new Set<Promise<void>>()
  const threads = new Map<RemoteThread, Promise<void>>()
  const keep = async (index: number, result: Promise<CallResult>) => {
    try {
      results[index] = await result
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  try {
    for (const [index, call] of calls.entries()) {
      if (underWay.size >= width) await Promise.race(underWay)
      if (failures.length > 0) break
      const limit = limitIn(results)
      const begun = limit === undefined ? await begin(call) : skipped(limit)
      if ('make' in begun) {
        const { make, thread } = begun
        const before = thread === undefined ? undefined : threads.get(thread)
        const work = keep(index, before === undefined ? make() : before.then(make)).then(
          () => void underWay.delete(work),
        )
        underWay.add(work)
        if (thread !== undefined) threads.set(thread, work)
      } else {
        results[index] = begun
        if (begun.final !== undefined) break
      }
    }
  } finally {
    await Promise.all(underWay)
  }
  if (failures.length > 0) throw failures[0]
  return results
}

function limitIn(results: readonly CallResult[]): RunFailure | undefined {
  // Calls that are under way have left holes.
  return results.find((result) => result?.limit !== undefined)?.limit
}

/** A call that may be made. */
interface Begun {
  make(): Promise<CallResult>
  readonly thread: RemoteThread | undefined
}

async function beginCall(
  call: ModelToolCall,
  offer: Offer,
  output: InterfaceSchema,
  context: AgentContext,
): Promise<CallResult | Begun> {
  const { toolCallId: id, toolName: name } = call
  const refuse = (message: string): CallResult => {
    context.emit({ type: 'tool-failed', call: id, name, content: message })
    return { observation: errorObservation(message) }
  }
  const callable = offer.callables.get(name)
  const clientTool = offer.clientTools.get(name)
  const final = offer.final && name === FINAL_OUTPUT
  // OPEN-48.4: what the model invents is not executed.
  if (callable === undefined && clientTool === undefined && !final) return refuse(unknownTool(name, offer))
  const args = readArguments(call.input)
  if (!args.ok) return refuse(`${name} was not called: ${args.error}`)
  if (final) return finish(args.value, output)
  if (clientTool !== undefined) return { client: { id, name: clientTool.name, args: args.value } }
  if (callable === undefined) return {}
  const limited = (thrown: unknown) => limitResult(thrown, name, context)
  try {
    const make = await dispatch(callable, args.value, id, context)
    return {
      thread: callable.thread,
      make: () => make().then((observation) => ({ observation }), limited),
    }
  } catch (thrown) {
    return limited(thrown)
  }
}

/** The result of a call that a limit has kept from starting. OPEN-38: the closing call may still be made. */
function limitResult(thrown: unknown, name: string, { signal }: AgentContext): CallResult {
  const isLimit = thrown instanceof RunFailure && thrown.error.code === 'limit_exceeded' && !signal.aborted
  if (!isLimit) throw thrown
  return { observation: errorObservation(`${name} was not called: ${thrown.message}`), limit: thrown }
}

function finish(args: ValueRecord, output: InterfaceSchema): CallResult {
  const value = finalToolSchema(output).outputOf(args)
  const judged = value === undefined ? err('the answer has no output') : fittingAnswer(value, output)
  if (judged.ok) return { final: { value: judged.value }, observation: { content: 'accepted', isError: false } }
  return { invalid: judged.error, observation: errorObservation(judged.error) }
}

function skipped(limit: RunFailure): CallResult {
  return { observation: errorObservation(`not called: ${limit.message}`) }
}

function unknownTool(name: string, offer: Offer): string {
  const names = offer.tools.map((tool) => tool.name)
  return names.length === 0
    ? `there is no tool ${JSON.stringify(name)}`
    : `there is no tool ${JSON.stringify(name)}.${didYouMean(name, names)}`
}

function fit(observation: Observation, name: string, context: AgentContext): Observation {
  const { observation: short, cut } = cutObservation(observation)
  if (cut !== undefined) context.warn('observation_cut', `the result of ${name} was cut for the model: ${cut}`)
  return short
}
