import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAnswerText } from '../../src/serve/answer-text.ts'

const one = { type: 'object', properties: { response: { type: 'string' }, note: {} }, required: ['response'] } as const

/** The text of an answer that arrives character by character. */
function read(schema: Parameters<typeof createAnswerText>[0], answer: string): string {
  const reader = createAnswerText(schema)
  return [...answer].map((part) => reader(part)).join('')
}

describe('the text of a streamed answer', () => {
  test.each([
    ['{"response":"On its way."}', 'On its way.'],
    ['```json\n{ "response" : "a\\nb \\"c\\" \\u00e9 \\ud83d\\ude00 😀" }\n```', 'a\nb "c" é 😀 😀'],
    ['{"note":{"response":"no"},"response":"yes","more":["response"]}', 'yes'],
    ['{"note":["a,b:{",1],"response":"yes"}', 'yes'],
    ['{"response":{"response":"no"}}', ''],
    ['Just text: {.', 'Just text: {.'],
    ['  \n text', '  \n text'],
    ['', ''],
  ])('%j is %j', (answer, text) => {
    expect(read(one, answer)).toBe(text)
  })

  test('a text is itself, and several fields have none', () => {
    expect(read({ type: 'string' }, '{"response":"x"}')).toBe('{"response":"x"}')
    const two = { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a', 'b'] } as const
    expect(read(two, '{"a":"x","b":1}')).toBe('')
  })

  test('any text arrives whole, however it is split', () => {
    const value = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(value, fc.jsonValue(), fc.integer({ min: 1, max: 9 }), (response, note, size) => {
        const answer = JSON.stringify({ note, response })
        const reader = createAnswerText(one)
        let text = ''
        for (let at = 0; at < answer.length; at += size) text += reader(answer.slice(at, at + size))
        expect(text).toBe(response)
      }),
    )
  })
})
