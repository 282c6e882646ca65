import { silentModel } from '@joust/sim'
import { describe, expect, it } from 'vitest'
import type { LanguageModel, ModelMessage } from '../../src/model/language-model.ts'
import { orderPrompt, structuredAnswer } from '../../src/models/answer-format.ts'

const from = (provider: string): LanguageModel => ({ ...silentModel(), provider })
const schema = { type: 'object', properties: {} } as const

describe('structuredAnswer', () => {
  it.each([
    ['openai.responses', true, true],
    ['openai.chat', true, true],
    ['anthropic.messages', true, true],
    ['google.generative-ai', true, false],
    ['google.generative-ai', false, true],
    ['openai-compatible.chat', true, false],
    ['openai-compatible.chat', false, true],
    ['other.provider', true, false],
    ['constructor.x', true, false],
    ['sim', true, true],
  ])('%s beside tools %s: %s', (provider, besideTools, asked) => {
    const { responseFormat } = structuredAnswer(from(provider), schema, besideTools)
    expect(responseFormat !== undefined).toBe(asked)
  })

  it('a schema that is not an object is requested in the prompt only', () => {
    expect(structuredAnswer(from('openai.responses'), { type: 'array' }, false)).toEqual({})
    expect(structuredAnswer(from('sim'), { type: 'array' }, false).responseFormat).toMatchObject({
      schema: { type: 'array' },
    })
  })
})

describe('orderPrompt', () => {
  const prompt: ModelMessage[] = [
    { role: 'system', content: 'one' },
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    { role: 'system', content: 'two' },
  ]

  it('moves later system messages to the start for Google, and leaves them for others', () => {
    expect(orderPrompt(from('google.generative-ai'), prompt).map(({ role }) => role)).toEqual([
      'system',
      'system',
      'user',
    ])
    expect(orderPrompt(from('openai.responses'), prompt)).toEqual(prompt)
  })
})
