import type { Value, ValueRecord } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { argumentFault } from '../../src/tools/arguments.ts'
import { dispatch } from '../../src/tools/dispatch.ts'
import { testContext } from '../support/context.ts'

const path: ValueRecord = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

describe('arguments', () => {
  test('that fit are let through, and what the schema does not name does not matter', () => {
    expect(argumentFault({ kind: 'local', inputSchema: path }, { path: 'a', more: 1 })).toBeUndefined()
    expect(argumentFault({ kind: 'local', inputSchema: {} }, {})).toBeUndefined()
  })

  test.each<[string, Value, RegExp]>([
    ['one is missing', {}, /its arguments do not fit: .*path/],
    ['one has the wrong type, which is not changed', { path: 7 }, /path: expected a string, got 7/],
    ['they are not an object', ['a'], /must be an object, got a list/],
    ['they are nothing', null, /must be an object, got null/],
    ['one is there only by inheritance', JSON.parse('{"__proto__":{"path":"a"}}'), /path/],
  ])('are refused when %s', (_, args, message) => {
    expect(argumentFault({ kind: 'mcp', inputSchema: path }, args)).toMatch(message)
  })

  test('that are wrong in many ways are described in a few', () => {
    const inputSchema = { type: 'object', additionalProperties: { type: 'string' } }
    const args = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, index]))
    expect(argumentFault({ kind: 'mcp', inputSchema }, args)).toMatch(/; and 15 more$/)
  })

  test('are left to a server whose schema we cannot judge by, and refused for a host whose schema is none', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'list' } } }
    expect(argumentFault({ kind: 'mcp', inputSchema }, { a: 1 })).toBeUndefined()
    expect(argumentFault({ kind: 'local', inputSchema }, { a: 1 })).toMatch(/its schema is not a JSON Schema/)
  })

  test('with a pattern that would take for ever are judged at once', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    expect(argumentFault({ kind: 'mcp', inputSchema }, { a: `${'a'.repeat(50_000)}!` })).toMatch(/do not fit/)
  })

  test('that do not fit are refused before anybody is asked, and count for nothing', async () => {
    let asked = 0
    const approve = () => {
      asked++
      return { approved: true }
    }
    const { context } = testContext({ options: { approve } })
    const approval = { kind: 'mcp_tool', over: 'args', approval: true } as const
    const invoke = async () => ({ content: 'done', isError: false })
    const tool = { name: 'read', names: [], kind: 'mcp', inputSchema: path, counts: true, approval, invoke } as const
    expect(await dispatch(tool, { path: 7 }, 'c1', context)).toEqual({
      content: 'read was not called: its arguments do not fit: path: expected a string, got 7',
      isError: true,
    })
    expect(asked).toBe(0)
    expect(await dispatch(tool, { path: 'a' }, 'c2', context)).toMatchObject({ content: 'done' })
    expect(asked).toBe(1)
    expect(context.ledger.usage.toolCalls).toBe(1)
  })
})
