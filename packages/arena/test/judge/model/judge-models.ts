/** Models for judges: every call is kept, and the test writes the answer. */
import type { LanguageModel } from '@joust/runtime'

export type Call = Parameters<LanguageModel['doGenerate']>[0]
type Answer = Awaited<ReturnType<LanguageModel['doGenerate']>>

/** A model that answers with a text, or as the function says. */
export function modelSaying(
  answer: string | ((call: Call, prompt: string) => string | Promise<string>),
  finish = 'stop',
) {
  const calls: Call[] = []
  const model: LanguageModel = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'judge',
    supportedUrls: {},
    async doGenerate(call) {
      calls.push(call)
      const text = typeof answer === 'string' ? answer : await answer(call, userText(call))
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: finish, raw: undefined },
        usage: { inputTokens: { total: 10 }, outputTokens: { total: 2 } },
        warnings: [],
        // Tests write only what is read.
      } as unknown as Answer
    },
    doStream: () => Promise.reject(new Error('a judge does not stream')),
  }
  return { model, calls }
}

/** The instructions of a call. */
export function systemText({ prompt }: Call): string {
  const [first] = prompt
  return first?.role === 'system' ? first.content : ''
}

/** The data of a call. */
export function userText({ prompt }: Call): string {
  const last = prompt.at(-1)
  return last?.role === 'user' ? last.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : ''
}

/** What a judge that follows its instructions finds in a block. */
export function readBlock(call: Call, name: string): string | undefined {
  const [, boundary = ''] = /BEGIN name (\S+)"/.exec(systemText(call)) ?? []
  const lines = userText(call).split('\n')
  const at = lines.indexOf(`BEGIN ${name} ${boundary}`)
  return at < 0 || lines[at + 2] !== `END ${name} ${boundary}` ? undefined : JSON.parse(lines[at + 1] ?? '')
}
