import { describe, expect, expectTypeOf, it } from 'vitest'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { type StandardSchema, tool } from '../../src/model/tool.ts'

/** A schema as Zod, Valibot and ArkType have it. */
const word: StandardSchema<{ readonly word: string }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) =>
      typeof value === 'object' && value !== null && 'word' in value && typeof value.word === 'string'
        ? { value: { word: value.word.trim() } }
        : { issues: [{ message: 'expected a text', path: [{ key: 'word' }] }, { message: 'no word' }] },
    jsonSchema: { input: ({ target }) => ({ $schema: target, type: 'object', required: ['word'] }) },
  },
}
const context = { signal: new AbortController().signal }

describe('tool', () => {
  it('infers its arguments from the schema, and passes the validated value', async () => {
    const lookUp = tool({
      schema: word,
      description: 'Looks up a word.',
      call: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly word: string }>()
        return args.word
      },
    })
    expect(await lookUp.call({ word: ' joust ' }, context)).toBe('joust')
    expect(lookUp).toMatchObject({
      description: 'Looks up a word.',
      inputSchema: { $schema: 'draft-2020-12', type: 'object', required: ['word'] },
    })
  })

  it('does not call the function with other arguments', async () => {
    const lookUp = tool({ schema: word, call: () => expect.unreachable() })
    await expect(lookUp.call({ word: 5 }, context)).rejects.toThrow('invalid arguments: word: expected a text; no word')
  })

  it('takes the JSON Schema of the host where the library has none', () => {
    const { jsonSchema: _, ...standard } = word['~standard']
    const schema: typeof word = { '~standard': standard }
    expect(tool({ schema, inputSchema: { type: 'object', minProperties: 1 }, call: () => '' }).inputSchema).toEqual({
      type: 'object',
      minProperties: 1,
    })
    expect(tool({ schema, call: () => '' }).inputSchema).toEqual({ type: 'object' })
  })
})

describe('schemas of other kinds', () => {
  const input = () => {
    throw new Error('Date cannot be represented in JSON Schema')
  }
  const dated: typeof word = { '~standard': { ...word['~standard'], vendor: 'zod', jsonSchema: { input } } }

  it('one that its library cannot convert needs a JSON Schema', () => {
    expect(() => tool({ schema: dated, call: () => '' })).toThrow(
      'tool: zod cannot convert the schema to JSON Schema (Date cannot be represented in JSON Schema); pass "inputSchema"',
    )
    expect(tool({ schema: dated, inputSchema: { type: 'object' }, call: () => '' }).inputSchema).toEqual({
      type: 'object',
    })
  })

  it.each([[{ type: 'object' }], [undefined], [null], ['x'], [{ '~standard': null }]])('%j is an error', (schema) => {
    expect(() => tool({ schema: schema as never, call: () => '' })).toThrow('tool: "schema" must be a Standard Schema')
  })

  it('a conversion to something else than a JSON Schema is an error', () => {
    const odd = { '~standard': { ...word['~standard'], jsonSchema: { input: () => 5 as never } } }
    expect(() => tool({ schema: odd, call: () => '' })).toThrow('(got an integer (5)); pass "inputSchema"')
  })

  it('a schema that returns no result is an error of the call', async () => {
    const silent = { '~standard': { ...word['~standard'], validate: () => undefined as never } }
    const { call } = tool({ schema: silent, call: () => expect.unreachable() })
    await expect(call({}, context)).rejects.toThrow('the schema of test returned undefined')
  })

  it('a schema may be a function', () => {
    expect(tool({ schema: Object.assign(() => true, word), call: () => '' }).inputSchema).toMatchObject({
      required: ['word'],
    })
  })

  it('a missing function is an error', () => {
    expect(() => tool({ schema: word } as never)).toThrow('tool: "call" must be a function')
  })
})

it('a function that does not take and return JSON is not a tool', () => {
  const wrong = (_: Date) => Symbol('x')
  // @ts-expect-error: neither as a function
  const tools: RuntimeOptions['tools'] = { wrong }
  // @ts-expect-error: nor as the call of a tool
  const called: RuntimeOptions['tools'] = { wrong: { call: wrong } }
  expect([tools, called]).toHaveLength(2)
})
