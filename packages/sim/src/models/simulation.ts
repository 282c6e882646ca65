/** Creates a deterministic model from a function that maps a prompt to a turn. Token counts are estimated. */
import type {
  LanguageModelV4 as LanguageModel,
  LanguageModelV4GenerateResult as ModelAnswer,
  LanguageModelV4CallOptions as ModelCall,
  LanguageModelV4Content as ModelContent,
  LanguageModelV4StreamPart as ModelStreamPart,
  LanguageModelV4Usage as ModelUsage,
} from '@ai-sdk/provider'

export interface Turn {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: string }[]
  /** The usage to report; by default estimated from the text length. */
  readonly usage?: { readonly input: number; readonly output: number }
}

const CHARACTERS_PER_TOKEN = 4

export function simulate(modelId: string, decide: (call: ModelCall) => Turn): LanguageModel {
  const answer = (call: ModelCall): ModelAnswer => {
    call.abortSignal?.throwIfAborted()
    return answerOf(decide(call), call)
  }
  return {
    specificationVersion: 'v4',
    provider: 'sim',
    modelId,
    supportedUrls: {},
    doGenerate: async (call) => answer(call),
    doStream: async (call) => ({ stream: streamOf(answer(call)) }),
  }
}

function answerOf(turn: Turn, call: ModelCall): ModelAnswer {
  const content: ModelContent[] = []
  if (turn.text !== undefined && turn.text !== '') content.push({ type: 'text', text: turn.text })
  for (const { id, tool, input } of turn.calls ?? []) {
    content.push({ type: 'tool-call', toolCallId: id, toolName: tool, input })
  }
  const called = (turn.calls ?? []).length > 0
  return {
    content,
    finishReason: { unified: called ? 'tool-calls' : 'stop', raw: undefined },
    usage: usageOf(turn, call, content),
    warnings: [],
  }
}

function usageOf(turn: Turn, call: ModelCall, content: readonly ModelContent[]): ModelUsage {
  const input = turn.usage?.input ?? tokensIn(call.prompt) + tokensIn(call.tools ?? [])
  const output = turn.usage?.output ?? tokensIn(content)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
}

function tokensIn(part: unknown): number {
  return Math.ceil((JSON.stringify(part)?.length ?? 0) / CHARACTERS_PER_TOKEN)
}

function streamOf(answer: ModelAnswer): ReadableStream<ModelStreamPart> {
  const parts: ModelStreamPart[] = [{ type: 'stream-start', warnings: [] }]
  for (const [index, part] of answer.content.entries()) {
    if (part.type === 'tool-call') parts.push(part)
    if (part.type !== 'text') continue
    const id = String(index)
    const deltas = part.text.split(/(?<=\s)/).map((delta): ModelStreamPart => ({ type: 'text-delta', id, delta }))
    parts.push({ type: 'text-start', id }, ...deltas, { type: 'text-end', id })
  }
  parts.push({ type: 'finish', usage: answer.usage, finishReason: answer.finishReason })
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}
