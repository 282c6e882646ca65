/** The tool calls of one step, made in the order in which the model asked for them. */
import type { InterfaceSchema } from '@joust/agentformat'
import { didYouMean, err, type Value, type ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { errorObservation, type Observation } from '../model/connection.ts'
import type { ClientToolCall } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import type { ModelMessage, ModelToolCall } from '../model/language-model.ts'
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

/** Makes the calls. Every call is answered, so that providers still accept the conversation. */
export async function runCalls(
  calls: readonly ModelToolCall[],
  offer: Offer,
  output: InterfaceSchema,
  context: AgentContext,
): Promise<CallResults> {
  const content: ReturnType<typeof toolResult>[] = []
  const clientCalls: ClientToolCall[] = []
  let ending: Pick<CallResult, 'final' | 'invalid' | 'limit'> = {}
  for (const call of calls) {
    const { toolCallId: id, toolName: name } = call
    const { limit } = ending
    const outcome = limit === undefined ? await runCall(call, offer, output, context) : skipped(limit)
    const { observation, client, final, invalid = ending.invalid } = outcome
    if (client !== undefined) clientCalls.push(client)
    if (observation !== undefined) content.push(toolResult(id, name, fit(observation, name, context)))
    ending = { final, invalid, limit: limit ?? outcome.limit }
    if (final !== undefined) break
  }
  return { message: { role: 'tool', content }, clientCalls, ...ending }
}

async function runCall(
  call: ModelToolCall,
  offer: Offer,
  output: InterfaceSchema,
  context: AgentContext,
): Promise<CallResult> {
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
  try {
    return callable === undefined ? {} : { observation: await dispatch(callable, args.value, id, context) }
  } catch (thrown) {
    // OPEN-38: the closing call may still be made.
    const limited = thrown instanceof RunFailure && thrown.error.code === 'limit_exceeded' && !context.signal.aborted
    if (limited) return { observation: errorObservation(`${name} was not called: ${thrown.message}`), limit: thrown }
    throw thrown
  }
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
