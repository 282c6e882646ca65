/** Tokens of an answer: as reported, or estimated by length where a provider reports none. */

import type { ModelAnswer, ModelCall } from '../model/language-model.ts'
import type { TokenUsage } from '../model/usage.ts'

const CHARACTERS_PER_TOKEN = 4

/** The tokens of one call. */
export function tokensOf(answer: Pick<ModelAnswer, 'usage' | 'content'>, call: ModelCall): TokenUsage {
  const input = count(answer.usage.inputTokens.total)
  const output = count(answer.usage.outputTokens.total)
  return {
    inputTokens: input ?? estimate([call.prompt, call.tools ?? []]),
    outputTokens: output ?? estimate(answer.content),
    estimated: input === undefined || output === undefined,
  }
}

function count(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0 ? Math.ceil(tokens) : undefined
}

function estimate(part: unknown): number {
  return Math.ceil((JSON.stringify(part)?.length ?? 0) / CHARACTERS_PER_TOKEN)
}
