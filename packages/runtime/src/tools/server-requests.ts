/** Handles MCP server requests to the client: sampling and elicitation. */
import { linkSignals } from '@joust/io'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { askApproval } from '../approvals/ask.ts'
import { requirementsOf } from '../approvals/requirement.ts'
import type { AgentContext } from '../context/agent-context.ts'
import { guardrailDenial } from '../governance/governance.ts'
import { RunFailure } from '../model/errors.ts'
import type { GuardrailSubject } from '../model/governance.ts'
import type { LanguageModel, ModelMessage } from '../model/language-model.ts'
import { askModel } from '../models/ask-model.ts'
import { incompleteProblem } from '../models/finish-reason.ts'

/** Handles `elicitation/create` with the host's handler, if any. */
export async function answerElicitation(
  params: ValueRecord,
  server: string,
  context: AgentContext,
  signal: AbortSignal,
): Promise<ValueRecord | undefined> {
  return context.options.onElicitation?.(params, { server, signal })
}

/** Handles `sampling/createMessage` with the host's handler, or with the agent's own model after approval. */
export async function answerSampling(
  params: ValueRecord,
  server: string,
  context: AgentContext,
  signal: AbortSignal,
): Promise<ValueRecord | undefined> {
  const { model, options } = context
  if (options.onSampling !== undefined) return options.onSampling(params, { server, signal })
  if (options.approve === undefined || model === undefined) return undefined
  const link = linkSignals([context.signal, signal])
  try {
    return await sample(params, server, model, { ...context, signal: link.signal })
  } finally {
    link.close()
  }
}

async function sample(
  params: ValueRecord,
  server: string,
  model: LanguageModel,
  context: AgentContext,
): Promise<ValueRecord> {
  // For guardrails, the request is a tool result and the model's answer is a tool call.
  await guard('tool_result', params, server, context)
  context.budget.checkModelCall()
  const intent = { kind: 'sampling', target: server, names: [], args: params, over: 'args' } as const
  const reason = `server ${server} requests a model completion`
  await askApproval(intent, [{ reason }, ...requirementsOf(intent, context)], context)
  const call = { prompt: promptOf(params), ...settings(params) }
  const { text, finish } = await askModel({ model, call, context, stream: false })
  await guard('tool_call', text, server, context)
  // MCP allows any stop reason, so others, such as a filter, are passed through.
  const stopReason = finish === 'length' ? 'maxTokens' : incompleteProblem(finish) === undefined ? 'endTurn' : finish
  return { role: 'assistant', content: { type: 'text', text }, model: model.modelId, stopReason }
}

async function guard(stage: GuardrailSubject['stage'], value: Value, server: string, context: AgentContext) {
  const subject = { stage, agent: context.path, target: server, value }
  const denial = await guardrailDenial(context.governance, subject, context.signal)
  if (denial === undefined) return
  const message = `server ${server} may not use the model: ${denial}`
  throw new RunFailure({ code: 'guardrail_denied', message, agent: context.path })
}

function promptOf(params: ValueRecord): ModelMessage[] {
  const system = own(params, 'systemPrompt')
  const messages = own(params, 'messages')
  return [
    ...(typeof system === 'string' ? [{ role: 'system', content: system } as const] : []),
    ...(isList(messages) ? messages.map(promptMessage) : []),
  ]
}

function promptMessage(message: Value): ModelMessage {
  const content = [{ type: 'text', text: isRecord(message) ? textOf(own(message, 'content')) : '' } as const]
  return isRecord(message) && message.role === 'assistant' ? { role: 'assistant', content } : { role: 'user', content }
}

function textOf(content: Value | undefined): string {
  if (isList(content)) return content.map(textOf).join('\n')
  const text = isRecord(content) ? own(content, 'text') : content
  return typeof text === 'string' ? text : ''
}

function settings(params: ValueRecord) {
  const { maxTokens, temperature, stopSequences } = params
  return {
    ...(typeof maxTokens === 'number' ? { maxOutputTokens: maxTokens } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(isList(stopSequences) ? { stopSequences: stopSequences.filter((stop) => typeof stop === 'string') } : {}),
  }
}
