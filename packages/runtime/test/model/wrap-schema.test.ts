import { compileSchema, type InterfaceSchema } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { wrapSchema } from '../../src/model/wrap-schema.ts'
import { finalToolSchema } from '../../src/react/output.ts'
import { agentTools } from '../../src/serve/mcp-tools.ts'
import { leaf, object } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { run } from '../support/run.ts'

const integers: InterfaceSchema = {
  type: 'array',
  items: { $ref: '#/definitions/n' },
  definitions: { n: { type: 'integer' } },
}

function fits(schema: ValueRecord, value: Value): boolean {
  const compiled = compileSchema(schema)
  if (!compiled.ok) throw new Error(compiled.error[0]?.message)
  return compiled.value(value).ok
}

describe('a wrapped schema', () => {
  const tree = { type: 'array', items: { $ref: '#' } }
  const within = { type: 'array', prefixItems: [{ type: 'integer' }], items: { $ref: '#/prefixItems/0' } }
  it.each<[string, ValueRecord, Value, Value]>([
    ['definitions', integers, [1], ['x']],
    ['$defs', { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } }, 1, 'x'],
    ['the whole schema', tree, [[], [[]]], [[1]]],
    ['a part of it', within, [1, 2], [1, 'x']],
    ['an anchor', { $ref: '#n', $defs: { n: { $anchor: 'n', type: 'integer' } } }, 1, 'x'],
    ['a resource with an id', { ...integers, $id: 'urn:x' }, [1], ['x']],
    [
      'a property called $ref',
      { anyOf: [{ properties: { $ref: { $ref: '#/$defs/n' } } }], $defs: { n: false } },
      {},
      { $ref: 1 },
    ],
    ['data that looks like a reference', { const: { $ref: '#/x' } }, { $ref: '#/x' }, { $ref: '#/properties/it/x' }],
  ])('follows %s', (_, schema, good, bad) => {
    expect(fits(schema, good)).toBe(true)
    expect(fits(schema, bad)).toBe(false)
    const wrapped = wrapSchema(schema, 'it')
    expect(fits(wrapped, { it: good })).toBe(true)
    expect(fits(wrapped, { it: bad })).toBe(false)
    expect(fits(wrapped, {})).toBe(false)
  })

  it('keeps $schema at the root', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema'
    expect(wrapSchema({ $schema, type: 'string' }, 'it')).toEqual({ $schema, ...object({ it: { type: 'string' } }) })
  })

  it('does not expand shared parts', () => {
    let schema: ValueRecord = { type: 'integer' }
    for (let level = 0; level < 60; level++) schema = { anyOf: [schema, schema] }
    const wrapped = wrapSchema({ items: schema }, 'it')
    expect(Object.keys(wrapped)).toEqual(['type', 'properties', 'required'])
  })
})

describe('users of wrapped schemas', () => {
  it('a sub-agent with references can be called', async () => {
    const sum = leaf(({ input }) => (input as number[]).length, { input: integers })
    const calls = [
      { name: 'sum', arguments: { input: [1, 2] } },
      { name: 'sum', arguments: { input: ['x'] } },
    ]
    const models = scripts({ m: [{ tool_calls: calls }, { text: 'done' }] })
    const { events } = await run(react('m', { agents: { sum } }), 'go', { models })
    expect(events.flatMap((event) => (event.type === 'tool-answered' ? [event.content] : []))).toEqual([2])
    expect(events.filter((event) => event.type === 'tool-failed')).toHaveLength(1)
  })

  it('the tool for the final answer, and the tool of a server', () => {
    const answer = finalToolSchema(integers).inputSchema
    expect([fits(answer, { output: [1] }), fits(answer, { output: ['x'] })]).toEqual([true, false])
    const served = agentTools([leaf(() => 1, { input: integers })]).get('agent')?.definition.inputSchema
    // The protocol's schemas are JSON.
    const input = served as ValueRecord
    expect([fits(input, { input: [1] }), fits(input, { input: ['x'] })]).toEqual([true, false])
  })
})
