import { describe, expect, test } from 'vitest'
import { a2aTexts } from '../../src/bindings/a2a-texts.ts'

const parts = (...texts: string[]) => texts.map((text) => ({ kind: 'text', text }))

describe('the text of an answer', () => {
  test.each([
    ['a message', { kind: 'message', parts: parts('a') }, ['a']],
    ['artifacts, never glued together', { artifacts: [{ parts: parts('a') }, { parts: parts('b') }] }, ['a', 'b']],
    ['several parts, and all of them', { parts: parts('a', 'b') }, ['a', 'b', 'a\nb']],
    ['a status', { status: { state: 'completed', message: { parts: parts('a') } } }, ['a']],
    ['data', { parts: [{ kind: 'data', data: { key: ['v'] } }] }, ['{"key":["v"]}']],
    ['a streamed artifact', { kind: 'artifact-update', artifact: { parts: parts('a') } }, ['a']],
    [
      'what the agent said before, and not what it was told',
      {
        history: [
          { role: 'user', parts: parts('told') },
          { role: 'agent', parts: parts('a') },
        ],
      },
      ['a'],
    ],
    ['a list of tasks', { tasks: [{ artifacts: [{ parts: parts('a') }] }] }, ['a']],
    ['the same twice', { artifacts: [{ parts: parts('a') }], status: { message: { parts: parts('a') } } }, ['a']],
    ['nothing', { parts: 'a', artifacts: [1, null], status: 'a', history: {}, tasks: 1 }, []],
    ['no answer', 'a', []],
  ])('%s', (_, content, texts) => {
    expect(a2aTexts(content)).toEqual(texts)
  })
})
