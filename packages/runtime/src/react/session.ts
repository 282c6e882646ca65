/** One execution of a react agent: its model, what it can call, and the conversation so far. */

import type { InterfaceSchema, ReactConfig } from '@joust/agentformat'
import { defined, invariant, isRecord, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import type { Callable, CallableSet } from '../model/callable.ts'
import type { ClientTool } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import { lookUp, textOf } from '../model/json-value.ts'
import type { LanguageModel, ModelCall, ModelMessage } from '../model/language-model.ts'
import { structuredAnswer } from '../models/answer-format.ts'
import { askModel, type Reply } from '../models/ask-model.ts'
import { unfinishedFault } from '../models/no-answer.ts'
import { assistantMessage } from './observations.ts'
import type { Offer } from './offer.ts'
import { isStructured } from './output.ts'
import { firstPrompt } from './prompt.ts'

/** What a react agent works with. */
export interface Session {
  readonly config: ReactConfig
  readonly context: AgentContext
  readonly output: InterfaceSchema
  readonly model: LanguageModel
  readonly callables: CallableSet
  /** What could be called at the beginning; with `tool_choice: none` nothing can. */
  readonly first: readonly Callable[]
  readonly clientTools: readonly ClientTool[]
  /** Whether text is streamed as it comes in, to somebody who waits for the answer. */
  readonly stream: boolean
  readonly messages: ModelMessage[]
}

/** Finds the model, connects the tools, writes the first prompt. */
export async function openSession(call: PolicyCall<ReactConfig>): Promise<Session> {
  const { agent, config, context, input, conversation } = call
  const { model } = context
  invariant(model !== undefined, 'preparing has found the model')
  const callables = await call.openCallables()
  const first = config.tool_choice === 'none' ? [] : await callables.list(context.signal)
  const prompt = renderPrompt(config.user_prompt_template, input)
  for (const name of prompt.missing) {
    context.warn('template_value_missing', `user_prompt_template: the input has no ${JSON.stringify(name)}`)
  }
  const output = agent.document.interface.output
  const messages = firstPrompt({
    instructions: config.instructions,
    output,
    servers: callables.instructions(),
    request: prompt.text,
    templated: config.user_prompt_template !== undefined,
    conversation,
  })
  const stream = context.stream ?? (conversation?.messages.length ?? 0) > 0
  const clientTools = conversation?.clientTools ?? []
  return { config, context, output, model, callables, first, clientTools, stream, messages }
}

/** Asks the model once; its answer joins the conversation. One that is not whole ends the run: a call in it may lack arguments. */
export async function ask(session: Session, step: number, offer: Offer): Promise<Reply> {
  const { model, context, config, output, messages, stream } = session
  const offers = offer.tools.length > 0
  const call: ModelCall = {
    ...settingsOf(config),
    prompt: [...messages],
    ...(isStructured(output) ? structuredAnswer(model, output, offers) : {}),
    ...(offers ? { tools: [...offer.tools], toolChoice: { type: offer.final ? 'required' : 'auto' } } : {}),
  }
  const reply = await askModel({ model, call, context, step, stream })
  const fault = unfinishedFault(reply.finish)
  if (fault !== undefined) {
    const name = `${model.provider}/${model.modelId}`
    const details = { model: name, finish: reply.finish, text: reply.text }
    throw new RunFailure({
      code: 'answer_incomplete',
      message: `an answer of ${name} ${fault}`,
      agent: context.path,
      details,
    })
  }
  messages.push(assistantMessage(reply))
  return reply
}

function settingsOf(config: ReactConfig): Partial<ModelCall> {
  const { temperature, top_p, top_k, max_output_tokens, stop_sequences } = config
  return defined({
    temperature,
    topP: top_p,
    topK: top_k,
    maxOutputTokens: max_output_tokens,
    stopSequences: stop_sequences && [...stop_sequences],
  })
}

/** A filled template, and the names it had no value for. */
interface RenderedPrompt {
  readonly text: string
  readonly missing: readonly string[]
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*\}\}/g

/**
 * Fills a template (OPEN-48.6: `{{name}}` and `{{name.sub}}`, no sections, no escaping). Without a template, the
 * request is the input: a string as it is, anything else as JSON.
 */
export function renderPrompt(template: string | undefined, input: Value): RenderedPrompt {
  if (template === undefined) return { text: textOf(input), missing: [] }
  // An input that is not an object has the name `input`.
  const root = isRecord(input) ? input : { input }
  const missing: string[] = []
  const text = template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = lookUp(name, root)
    if (value === undefined) missing.push(name)
    return value === undefined ? '' : textOf(value)
  })
  return { text, missing }
}
