/** What MCP servers ask of their client: sampling and elicitation. Declined unless the host or a person agrees. */
import { standardPolicy } from '@joust/agentformat'
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { abortable, linkSignals } from '../abortable.ts'
import { askApproval } from '../approvals/ask.ts'
import type { ModelMessage } from '../models/model.ts'
import { tokensOf } from '../models/usage.ts'
import type { RunContext } from '../run-context.ts'

/** Answers `elicitation/create`: by the host, else not at all. */
export async function answerElicitation(
  params: ValueRecord,
  server: string,
  context: RunContext,
  signal: AbortSignal,
): Promise<ValueRecord | undefined> {
  return context.options.onElicitation?.(params, { server, signal })
}

/** Answers `sampling/createMessage`: by the host, else by the agent's own model once a person agrees. */
export async function answerSampling(
  params: ValueRecord,
  server: string,
  context: RunContext,
  signal: AbortSignal,
): Promise<ValueRecord | undefined> {
  const { onSampling, approve } = context.options
  if (onSampling !== undefined) return onSampling(params, { server, signal })
  const policy = standardPolicy(context.agent.document.execution_policy)
  if (approve === undefined || policy?.id !== 'agf.react') return undefined
  const intent = { kind: 'sampling', target: server, names: [], args: params, over: 'args' } as const
  await askApproval(intent, [{ reason: `the server ${server} asks to use the model` }], context)
  const model = await context.model(policy.config)
  const link = linkSignals([context.signal, signal])
  try {
    context.ledger.startModelCall()
    context.emit({ type: 'model-called', model: model.modelId, attempt: 1, tools: [] })
    const prompt = promptOf(params)
    const answer = await abortable(link.signal, () =>
      model.doGenerate({ prompt, ...settings(params), abortSignal: link.signal }),
    )
    const text = answer.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    const usage = tokensOf(answer, { prompt })
    const finish = answer.finishReason.unified
    const message = `sampling-${context.ledger.usage.modelCalls}`
    context.emit({ type: 'model-answered', model: model.modelId, message, text, calls: [], usage, finish })
    context.ledger.addTokens(usage)
    return { role: 'assistant', content: { type: 'text', text }, model: model.modelId, stopReason: 'endTurn' }
  } finally {
    link.close()
  }
}

function promptOf(params: ValueRecord): ModelMessage[] {
  const system = own(params, 'systemPrompt')
  const messages = own(params, 'messages')
  return [
    ...(typeof system === 'string' ? [{ role: 'system', content: system } as const] : []),
    ...(isList(messages) ? messages.map(messageOf) : []),
  ]
}

function messageOf(message: Value): ModelMessage {
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
