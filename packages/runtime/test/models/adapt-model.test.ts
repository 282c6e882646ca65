import { describe, expect, it } from 'vitest'
import type { EarlierLanguageModel, LanguageModel } from '../../src/model/language-model.ts'
import { adaptModel } from '../../src/models/adapt-model.ts'
import { react } from '../support/react.ts'
import { run } from '../support/run.ts'

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}

/** A model as providers of version 3 have it: a class whose methods use `this`. */
class Earlier {
  readonly specificationVersion = 'v3'
  readonly provider = 'acme'
  readonly modelId = 'm'
  readonly supportedUrls = {}
  readonly #text = 'hello'
  async doGenerate() {
    const finishReason = { unified: 'stop' as const, raw: undefined }
    return { content: [{ type: 'text' as const, text: this.#text }], finishReason, usage, warnings: [] }
  }
  async doStream(): Promise<never> {
    throw new Error('cannot stream')
  }
}

const bound = (model: unknown) => ({ models: { m: model as LanguageModel } })

describe('models of the AI SDK', () => {
  it('version 3 runs, with its own count of tokens', async () => {
    const model: EarlierLanguageModel = new Earlier()
    const { result } = await run(react('m'), 'go', { models: { m: model } })
    expect(result).toMatchObject({ output: 'hello', usage: { inputTokens: 3, outputTokens: 2 } })
  })

  it.each<[object, string]>([
    [{ usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 } }, 'usage'],
    [{ usage: undefined }, 'usage'],
    [{ finishReason: 'stop' }, 'finishReason'],
    [{ content: 'hello' }, 'content'],
  ])('an answer in the form of another version fails, and is not estimated: %j', async (more, field) => {
    const doGenerate = async () => ({ ...(await new Earlier().doGenerate()), ...more })
    const model = { ...new Earlier(), doGenerate, doStream() {} }
    const { error } = await run(react('m'), 'go', bound(model))
    expect(error).toMatchObject({ code: 'model_failed', message: expect.stringContaining(`has no valid ${field};`) })
  })

  it('version 4 is used as it is', () => {
    const model = { ...new Earlier(), specificationVersion: 'v4', doGenerate() {}, doStream() {} }
    expect(adaptModel(model)).toEqual({ ok: true, value: model })
  })

  it.each<[string, unknown, RegExp]>([
    ['version 2', { specificationVersion: 'v2', doGenerate() {}, doStream() {} }, /version "v2".*supported: v3, v4/],
    ['no version', { doGenerate() {}, doStream() {} }, /no version/],
    ['no functions', { specificationVersion: 'v4' }, /doGenerate and doStream/],
    ['a function', () => 'hello', /expected a language model/],
    ['a number', 5, /expected a language model/],
    ['null', null, /expected a language model/],
  ])('%s is refused before the run', async (_, model, message) => {
    const { error, events } = await run(react('m'), 'go', bound(model))
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(message) })
    expect(events.filter(({ type }) => type === 'model-called')).toEqual([])
  })
})
