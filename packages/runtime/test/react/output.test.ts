import { describe, expect, it } from 'vitest'
import { finalToolSchema, readOutput } from '../../src/react/output.ts'
import { object } from '../support/agents.ts'

const NOT_JSON = 'the answer is not valid JSON'

const response = object({ response: { type: 'string' } })
const pair = object({ a: { type: 'string' }, b: { type: 'string' } })

describe('readOutput', () => {
  it.each([
    ['{"response":"x"}', response, { response: 'x' }],
    ['```json\n{"response":"x"}\n```', response, { response: 'x' }],
    ['```\n[1]\n```', { type: 'array' }, [1]],
    ['plain words', response, { response: 'plain words' }],
    ['42', response, { response: '42' }],
    ['"quoted"', response, { response: '"quoted"' }],
    ['Use `{name}` as a placeholder.', response, { response: 'Use `{name}` as a placeholder.' }],
    ['[the manual](https://a.test) says "no"', response, { response: '[the manual](https://a.test) says "no"' }],
    ['```sh\nls\n```', response, { response: '```sh\nls\n```' }],
    ['The "response": none', response, { response: 'The "response": none' }],
    [' {"a":"1","b":"2"}\n', pair, { a: '1', b: '2' }],
    ['5', { type: 'integer' }, 5],
    ['true', { type: 'boolean' }, true],
    ['{"a":1}', { type: 'string' }, '{"a":1}'],
    ['  text ', { type: 'string' }, '  text '],
    ['words', {}, 'words'],
    ['{"x":1}', {}, { x: 1 }],
  ] as const)('%s', (text, schema, value) => {
    expect(readOutput(text, schema)).toEqual({ ok: true, value })
  })

  it.each([
    ['[1]', response, 'does not match the schema'],
    ['{"other":1}', response, 'does not match the schema'],
    ['{not json', response, NOT_JSON],
    ['{"response": "Do not press', response, NOT_JSON],
    ["{'response': 'x'}", response, NOT_JSON],
    ['{"response": "x"} I hope this helps.', response, NOT_JSON],
    ['```json\n{"response": "x"}\n```\nI hope this helps.', response, NOT_JSON],
    ['```\n{"response": "x"\n```', response, NOT_JSON],
    ['```json\n{"response": "Do not press', response, NOT_JSON],
    ['Sure! {"response": "x"}', response, NOT_JSON],
    ['Sure:\n```json\n{\n  "response": "x"\n}\n```', response, NOT_JSON],
    ['The "response" is {"response": "x"}', response, NOT_JSON],
    ['[{"response": "x"}', response, NOT_JSON],
    ['{"a": 1', {}, NOT_JSON],
    ['words', pair, NOT_JSON],
    ['Sure! {"a":"1","b":"2"}', pair, NOT_JSON],
    ['```yaml\na: 1\n```', pair, NOT_JSON],
    ['"5"', { type: 'integer' }, 'does not match the schema'],
    ['5.5', { type: 'integer' }, 'does not match the schema'],
    ['', pair, NOT_JSON],
    ['no', { type: 'string', enum: ['yes'] }, 'does not match the schema'],
  ] as const)('%s is refused', (text, schema, message) => {
    const read = readOutput(text, schema)
    expect(read).toMatchObject({ ok: false, error: expect.stringContaining(message) })
  })

  it('only an object with exactly one required string is wrapped', () => {
    expect(readOutput('x', { type: 'object', properties: { response: { type: 'string' } } }).ok).toBe(false)
    expect(readOutput('x', object({ response: { type: 'integer' } })).ok).toBe(false)
    expect(readOutput('x', { ...response, required: ['__proto__'] }).ok).toBe(false)
    expect(readOutput('x', object({ response: { type: 'string', maxLength: 0 } })).ok).toBe(false)
  })
})

describe('the tool for the final answer', () => {
  it('has an object schema and wraps other schemas', () => {
    expect(finalToolSchema(pair).inputSchema).toBe(pair)
    expect(finalToolSchema(pair).outputOf({ a: '1' })).toEqual({ a: '1' })
    const text = finalToolSchema({ type: 'string' })
    expect(text.inputSchema).toEqual(object({ output: { type: 'string' } }))
    expect(text.outputOf({ output: 'x' })).toBe('x')
    expect(text.outputOf({})).toBeUndefined()
  })
})
