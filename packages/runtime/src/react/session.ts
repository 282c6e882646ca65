/** One execution of a react agent: model, tools and conversation. */
import type { InterfaceSchema, ReactConfig } from '@joust/agentformat'
import { defined, invariant, isRecord, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import { checksOutput } from '../governance/governance.ts'
import type { Callable, CallableSet } from '../model/callable.ts'
import type { ClientTool } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import { lookUp, promptText, textOf } from '../model/json-value.ts'
import type { LanguageModel, ModelCall, ModelMessage } from '../model/language-model.ts'
import { structuredAnswer } from '../models/answer-format.ts'
import { askModel, type Reply } from '../models/ask-model.ts'
import { incompleteProblem } from '../models/finish-reason.ts'
import { assistantMessage } from './observations.ts'
import { isStructured } from './output.ts'
import { firstPrompt } from './prompt.ts'
import type { StepTools } from './step-tools.ts'

export interface Session {
  readonly config: ReactConfig
  readonly context: AgentContext
  readonly output: InterfaceSchema
  readonly model: LanguageModel
  readonly callables: CallableSet
  /** The callables at the start; empty if `tool_choice` is `none`. */
  readonly first: readonly Callable[]
  readonly clientTools: readonly ClientTool[]
  readonly stream: boolean
  /** True if a guardrail checks the output before clients see it. */
  readonly withheld: boolean
  readonly messages: ModelMessage[]
}

/** Connects the tools and builds the first prompt. */
export async function openSession(call: PolicyCall<ReactConfig>): Promise<Session> {
  const { agent, config, context, input, conversation } = call
  const { model } = context
  invariant(model !== undefined, 'the model was resolved during preparation')
  const callables = await call.openCallables()
  const first = config.tool_choice === 'none' ? [] : await callables.list(context.signal)
  const prompt = renderPrompt(config.user_prompt_template, input)
  for (const name of prompt.missing)
    context.warn('template_value_missing', `user_prompt_template: ${JSON.stringify(name)} is missing from the input`)
  const output = agent.document.interface.output
  const messages = firstPrompt({
    instructions: config.instructions,
    output,
    servers: callables.instructions(),
    request: prompt.text,
    templated: config.user_prompt_template !== undefined,
    conversation,
  })
  const withheld = checksOutput(context.governance)
  const stream = !withheld && (context.stream ?? (conversation?.messages.length ?? 0) > 0)
  const clientTools = conversation?.clientTools ?? []
  return { config, context, output, model, callables, first, clientTools, stream, withheld, messages }
}

/** Calls the model and adds the answer to the messages. Incomplete answers are errors: arguments may be missing. */
export async function ask(session: Session, step: number, tools: StepTools): Promise<Reply> {
  const { model, context, config, output, messages, stream, withheld } = session
  const hasTools = tools.tools.length > 0
  const call: ModelCall = {
    ...settingsOf(config),
    prompt: [...messages],
    ...(isStructured(output) ? structuredAnswer(model, output, hasTools) : {}),
    ...(hasTools ? { tools: [...tools.tools], toolChoice: { type: tools.final ? 'required' : 'auto' } } : {}),
  }
  const reply = await askModel({ model, call, context, step, stream, withheld })
  const problem = incompleteProblem(reply.finish)
  if (problem !== undefined) {
    const name = `${model.provider}/${model.modelId}`
    const details = { model: name, finish: reply.finish, text: reply.text }
    const message = `an answer from ${name} ${problem}`
    throw new RunFailure({ code: 'answer_incomplete', message, agent: context.path, details })
  }
  messages.push(assistantMessage(reply))
  return reply
}

function settingsOf(config: ReactConfig): Partial<ModelCall> {
  const { temperature, top_p, top_k, max_output_tokens, stop_sequences } = config
  const stopSequences = stop_sequences && [...stop_sequences]
  return defined({ temperature, topP: top_p, topK: top_k, maxOutputTokens: max_output_tokens, stopSequences })
}

interface RenderedPrompt {
  readonly text: string
  readonly missing: readonly string[]
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*\}\}/g

/**
 * Fills in a template (decision 0019, OPEN-48.6: `{{name}}` and `{{name.sub}}`, without sections or escaping). Without
 * a template, formats the input.
 */
export function renderPrompt(template: string | undefined, input: Value): RenderedPrompt {
  if (template === undefined) return { text: promptText(input), missing: [] }
  // Inputs that are not objects are available as `input`.
  const root = isRecord(input) ? input : { input }
  const missing: string[] = []
  const text = template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = lookUp(name, root)
    if (value === undefined) missing.push(name)
    return value === undefined ? '' : textOf(value)
  })
  return { text, missing }
}
