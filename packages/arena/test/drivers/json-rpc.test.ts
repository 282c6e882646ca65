import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyValue } from '../../../results/test/support/entries.ts'
import { readMessage, writeAnswer, writeNotification, writeRequest } from '../../src/drivers/json-rpc.ts'

const read = (value: unknown) => readMessage(JSON.stringify(value), 100_000)

describe('readMessage', () => {
  it.each([
    [
      'a request',
      { jsonrpc: '2.0', id: 1, method: 'm', params: { a: 1 } },
      { kind: 'request', id: 1, method: 'm', params: { a: 1 } },
    ],
    [
      'a request with the id null',
      { jsonrpc: '2.0', id: null, method: 'm' },
      { kind: 'request', id: null, method: 'm', params: {} },
    ],
    [
      'a request with an odd id',
      { jsonrpc: '2.0', id: [{}], method: 'm' },
      { kind: 'request', id: [{}], method: 'm', params: {} },
    ],
    [
      'params of the wrong kind',
      { jsonrpc: '2.0', id: 1, method: 'm', params: 'x' },
      { kind: 'request', id: 1, method: 'm', params: 'x' },
    ],
    [
      'params that are null',
      { jsonrpc: '2.0', id: 1, method: 'm', params: null },
      { kind: 'request', id: 1, method: 'm', params: null },
    ],
    ['a notification', { jsonrpc: '2.0', method: 'n' }, { kind: 'notification', method: 'n', params: {} }],
    [
      'a result',
      { jsonrpc: '2.0', id: 'a', result: null },
      { kind: 'response', id: 'a', failed: false, content: null },
    ],
    [
      'an error',
      { jsonrpc: '2.0', id: 'a', error: { code: 1 } },
      { kind: 'response', id: 'a', failed: true, content: { code: 1 } },
    ],
    [
      'an error without an id',
      { jsonrpc: '2.0', error: {} },
      { kind: 'response', id: null, failed: true, content: {} },
    ],
    [
      'a result beside an error of null',
      { jsonrpc: '2.0', id: 1, result: 2, error: null },
      { kind: 'response', id: 1, failed: false, content: 2 },
    ],
    [
      'an error beside a result',
      { jsonrpc: '2.0', id: 1, result: 2, error: 3 },
      { kind: 'response', id: 1, failed: true, content: 3 },
    ],
  ])('tells %s', (_, value, expected) => {
    const text = expected.kind === 'request' ? { text: JSON.stringify(value) } : {}
    expect(read(value)).toEqual({ ...expected, ...text })
  })

  it.each([
    ['no JSON', '{"a":', -32700, null],
    ['nothing', '', -32700, null],
    ['a scalar', '7', -32600, null],
    ['empty batch', '[]', -32600, null],
    ['another version', '{"jsonrpc":"1.0","id":3,"method":"m"}', -32600, 3],
    ['a method that is not a string', '{"jsonrpc":"2.0","id":4,"method":5}', -32600, 4],
    ['an envelope with nothing in it', '{"jsonrpc":"2.0","id":6}', -32600, 6],
    ['a method of the prototype', '{"jsonrpc":"2.0","__proto__":{"method":"m"}}', -32600, null],
  ])('keeps the text of %s', (_, text, code, id) => {
    expect(readMessage(text, 100_000)).toMatchObject({ kind: 'malformed', text, code, id })
  })

  it('wire 8: an id is returned with the same digits', () => {
    const message = readMessage('{"jsonrpc":"2.0","id":9007199254740993,"method":"m"}', 1000)
    expect(message.kind === 'request' && writeAnswer(message.id, { result: {} })).toBe(
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
    )
    const broken = readMessage('{"jsonrpc":"2.0","id":-9007199254740993}', 1000)
    expect(broken.kind === 'malformed' && writeAnswer(broken.id, { error: {} })).toBe(
      '{"jsonrpc":"2.0","id":-9007199254740993,"error":{}}',
    )
    expect(readMessage('[9007199254740993]', 1000)).toMatchObject({ items: [{ text: '9007199254740993' }] })
  })

  it('reports the error of the transport', () => {
    expect(readMessage('{}', 100, 'cut off')).toMatchObject({ kind: 'malformed', reason: 'cut off', code: -32700 })
  })

  it('rejects text that is too large or too deep', () => {
    const nested = (depth: number) => `{"jsonrpc":"2.0","method":"m","params":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(readMessage(writeNotification('m'), 10).kind).toBe('malformed')
    expect(readMessage(nested(511), 100_000).kind).toBe('notification')
    expect(readMessage(nested(513), 100_000).kind).toBe('malformed')
    expect(readMessage(nested(200_000), 1_000_000).kind).toBe('malformed')
  })

  it('reads the good items of a batch beside the bad ones', () => {
    expect(read([{ jsonrpc: '2.0', method: 'a' }, 3, [], { jsonrpc: '2.0', id: 1, result: 0 }])).toMatchObject({
      kind: 'batch',
      items: [
        { kind: 'notification' },
        { kind: 'malformed', text: '3' },
        { kind: 'malformed', text: '[]' },
        { kind: 'response' },
      ],
    })
  })

  it('never throws, and reads back what was written', () => {
    fc.assert(fc.property(fc.string(), (text) => readMessage(text, 1000).kind !== undefined))
    fc.assert(
      fc.property(anyValue, fc.string(), (content, method) => {
        expect(readMessage(writeRequest(content, method, content), 1e6)).toMatchObject({
          kind: 'request',
          id: content,
          method,
        })
        expect(readMessage(writeAnswer(content, { result: content }), 1e6)).toEqual({
          kind: 'response',
          id: content,
          failed: false,
          content,
        })
        expect(readMessage(writeAnswer(content, { error: content }), 1e6)).toEqual({
          kind: 'response',
          id: content,
          failed: true,
          content,
        })
      }),
    )
  })
})
