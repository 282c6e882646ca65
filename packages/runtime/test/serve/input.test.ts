import type { InterfaceSchema } from '@joust/agentformat'
import type { Value } from '@joust/source'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputText } from '../../src/model/output-text.ts'
import { readAgUiRequest, readPeerRequest } from '../../src/serve/input.ts'
import { inputFromText } from '../../src/serve/text.ts'
import { leaf, object } from '../support/agents.ts'
import { react } from '../support/react.ts'

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const query = object({ query: text, limit: number }, ['query'])

describe('the input for a text', () => {
  it.each<[string, InterfaceSchema, string, Value]>([
    ['a string', text, '{"a":1}', '{"a":1}'],
    ['the one required string of an object', query, 'hello', { query: 'hello' }],
    ['that string even when the text is JSON', query, '{"query":"x"}', { query: '{"query":"x"}' }],
    ['JSON for an object with more required', object({ a: text, b: number }), '{"a":"x","b":1}', { a: 'x', b: 1 }],
    ['JSON for an object whose one required is not a string', object({ n: number }), '{"n":1}', { n: 1 }],
    ['JSON for a number', number, '5', 5],
    ['JSON for a list', { type: 'array' }, '[1]', [1]],
    ['JSON where anything goes', {}, '[1]', [1]],
    ['text where anything goes', {}, 'hello', 'hello'],
    ['text where a number would not keep its digits', {}, '9007199254740993', '9007199254740993'],
    ['a property with the name of a prototype', object({ constructor: text }), 'x', { constructor: 'x' }],
  ])('%s', (_, schema, said, input) => {
    expect(inputFromText(schema, said)).toEqual({ ok: true, value: input })
  })

  it.each<[string, InterfaceSchema, string, RegExp]>([
    ['no JSON', number, 'five', /JSON message.*not JSON/],
    ['no JSON with what is required', object({ a: text, b: text }), 'x', /JSON message with a and b; not JSON/],
    ['an integer that would not keep its digits', number, '9007199254740993', /the integer 9007199254740993 cannot/],
    ['JSON of another type', number, '"5"', /that matches the agent's input: /],
    ['JSON without what is required', object({ a: text, b: text }), '{"a":"x"}', /b/],
    ['a string that does not fit', { type: 'string', enum: ['a'] }, 'b', /matches/],
    ['a property that does not fit', object({ q: { type: 'string', maxLength: 1 } }), 'long', /q: /],
  ])('is an error for %s', (_, schema, said, message) => {
    expect(inputFromText(schema, said)).toEqual({ ok: false, error: expect.stringMatching(message) })
  })

  it('never throws', () => {
    const schemas = fc.constantFrom<InterfaceSchema>(text, query, number, {}, { type: 'array' })
    fc.assert(
      fc.property(schemas, fc.oneof(fc.string(), fc.json()), (schema, said) => {
        expect(typeof inputFromText(schema, said).ok).toBe('boolean')
      }),
    )
  })
})

describe('the text of an output', () => {
  it.each<[InterfaceSchema, Value, string]>([
    [text, 'hi', 'hi'],
    [object({ reply: text }), { reply: 'hi', more: 1 }, 'hi'],
    [object({ reply: text, more: number }), { reply: 'hi', more: 1 }, '{"reply":"hi","more":1}'],
    [number, 5, '5'],
    [{}, null, 'null'],
  ])('%j', (schema, output, said) => {
    expect(outputText(schema, output)).toBe(said)
  })
})

describe('an AG-UI request', () => {
  const bare = { threadId: 't', runId: 'r', tools: [], context: [], messages: [] }

  it('requires a user message with text', () => {
    const agent = leaf(() => 1, { input: text })
    const image = { type: 'image', source: { type: 'url', value: 'https://example.com/a.png' } } as const
    expect(readAgUiRequest(agent, bare).ok).toBe(false)
    expect(readAgUiRequest(agent, { ...bare, messages: [{ id: '1', role: 'user', content: [image] }] }).ok).toBe(false)
    const spoken = { id: '1', role: 'user', content: [{ type: 'text', text: 'see' }, image] } as const
    const messages = [{ ...spoken, content: [...spoken.content] }]
    expect(readAgUiRequest(agent, { ...bare, messages })).toMatchObject({ value: { input: 'see' } })
  })

  it('passes the conversation to react agents only', () => {
    const request = { ...bare, state: { a: 1 }, messages: [{ id: '1', role: 'user' as const, content: 'x' }] }
    expect(
      readAgUiRequest(
        leaf(() => 1, { input: text }),
        request,
      ),
    ).toMatchObject({ value: { options: {} } })
    expect(readAgUiRequest(react('m', { input: text }), request)).toMatchObject({
      value: { options: { conversation: [{ role: 'user', text: 'x' }], state: { a: 1 } } },
    })
  })

  it('omits reasoning and activities, and keeps tool errors', () => {
    const messages = [
      { id: '0', role: 'reasoning' as const, content: 'hm' },
      { id: '1', role: 'activity' as const, activityType: 'x', content: {} },
      { id: '2', role: 'tool' as const, toolCallId: 'c', content: '', error: 'denied' },
      { id: '3', role: 'user' as const, content: 'x' },
    ]
    const tools = [{ name: 'a', description: 'b' }]
    expect(readAgUiRequest(react('m', { input: text }), { ...bare, messages, tools })).toMatchObject({
      value: {
        options: {
          conversation: [
            { role: 'tool', call: 'c', content: 'denied', isError: true },
            { role: 'user', text: 'x' },
          ],
          clientTools: [{ name: 'a', inputSchema: { type: 'object' } }],
        },
      },
    })
  })
})

describe('an A2A message', () => {
  const say = (texts: string[], data: Value[] = []) => ({ role: 'user' as const, texts, data })

  it('is text or matching data', () => {
    const agent = leaf(() => 1, { input: query })
    const input = (message: ReturnType<typeof say>) => readPeerRequest(agent, message, [])
    expect(input(say(['a', 'b']))).toMatchObject({ value: { input: { query: 'a\nb' } } })
    expect(input(say([], [{ query: 'x', limit: 3 }]))).toMatchObject({ value: { input: { query: 'x', limit: 3 } } })
    expect(input(say([], [{ other: 1 }]))).toMatchObject({ value: { input: { query: '{"other":1}' } } })
    expect(input(say([])).ok).toBe(false)
    const strict = leaf(() => 1, { input: object({ a: text, b: text }) })
    expect(readPeerRequest(strict, say([], [{ a: 1 }]), []).ok).toBe(false)
  })
})
