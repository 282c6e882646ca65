import { describe, expect, test } from 'vitest'
import { OpenRequests } from '../../src/connectors/mcp-requests.ts'

const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' }) as const
const cancel = (requestId: number) =>
  ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }) as const

describe('open requests', () => {
  test('a failed request is answered once', () => {
    const open = new OpenRequests()
    expect(open.sent(request(1))).toEqual({ opened: 1 })
    expect(open.failed(1, 'broken')).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'broken' } })
    expect(open.failed(1, 'broken')).toBeUndefined()
  })

  test('an answered or cancelled request cannot fail', () => {
    const open = new OpenRequests()
    open.sent(request(1))
    open.received({ jsonrpc: '2.0', id: 1, result: {} })
    expect(open.failed(1, 'broken')).toBeUndefined()
    open.sent(request(2))
    expect(open.sent(cancel(2))).toEqual({ dropped: 2 })
    expect(open.failed(2, 'broken')).toBeUndefined()
  })

  test('unknown and invalid ids are ignored', () => {
    const open = new OpenRequests()
    open.sent(request(1))
    for (const id of [2, '1', null, undefined, {}, '__proto__']) expect(open.failed(id, 'broken')).toBeUndefined()
    expect(open.sent({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({})
    expect(open.sent({ jsonrpc: '2.0', id: 'q', result: {} })).toEqual({})
  })
})
