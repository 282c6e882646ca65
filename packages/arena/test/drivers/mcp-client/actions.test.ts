import type { Extractor } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { codes, overPipe, settle, traced } from './support.ts'

const token: Extractor = { name: 'token', source: 'response', type: 'json_path', selector: '$.token' }

describe('the actions of a phase', () => {
  test('are sent in order, and can use earlier answers', async () => {
    const rig = overPipe({ actions: [{ method: 'a/get' }, { method: 'b/put', params: { with: '{{token}}' } }] }, [
      token,
    ])
    await rig.performHandshake()
    const performed = rig.perform()
    const first = await rig.hear()
    await settle()
    expect(traced(rig).at(-1)).toBe('out request a/get {}')
    await rig.say({ jsonrpc: '2.0', id: first.id, result: { token: 's3cret' } })
    const second = await rig.hear()
    expect(second).toEqual({ jsonrpc: '2.0', id: 3, method: 'b/put', params: { with: 's3cret' } })
    await rig.say({ jsonrpc: '2.0', id: second.id, result: {} })
    await performed
    expect(rig.stage.reports).toEqual([])
    await rig.driver.close()
  })

  test('that are malformed are reported and skipped', async () => {
    const rig = overPipe({ actions: ['x', { params: {} }, { method: 7 }, { method: 'ping' }] })
    await rig.performHandshake()
    const performed = rig.perform()
    const { id, method } = await rig.hear()
    expect(method).toBe('ping')
    await rig.say({ jsonrpc: '2.0', id, result: {} })
    await performed
    expect(rig.stage.reports.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'action-malformed actions[0]',
      'action-malformed actions[1]',
      'action-malformed actions[2]',
    ])
    await rig.driver.close()
  })

  test('that are not a list are reported', async () => {
    const rig = overPipe({ actions: { method: 'ping' } })
    await rig.performHandshake()
    await rig.perform()
    expect(rig.stage.reports).toMatchObject([{ code: 'state-malformed', path: 'actions' }])
    await rig.driver.close()
  })

  test('are dropped when the trigger fires; pending ones continue', async () => {
    const rig = overPipe({ actions: [{ method: 'one' }, { method: 'two' }, { method: 'three' }] })
    await rig.performHandshake()
    const over = new AbortController()
    let isDone = false
    const performed = rig.perform(over.signal).then(() => {
      isDone = true
    })
    const { id } = await rig.hear()
    over.abort()
    rig.stage.enter({})
    await settle()
    expect(isDone).toBe(false)
    await rig.say({ jsonrpc: '2.0', id, result: { late: 1 } })
    await performed
    expect(rig.stage.events.at(-1)).toEqual({ surface: 'one', content: { late: 1 }, phase: 'phase-2' })
    expect(rig.stage.reports).toMatchObject([{ code: 'action-dropped', path: 'actions[1]' }])
    expect(rig.stage.reports[0]?.message).toContain('two, three')
    await rig.driver.close()
  })

  test('are dropped when the run ends, without waiting', async () => {
    const rig = overPipe({ actions: [{ method: 'one' }, { method: 'two' }] })
    await rig.performHandshake()
    const performed = rig.perform()
    await rig.hear()
    rig.run.abort()
    await performed
    expect(codes(rig)).toEqual(['action-dropped'])
    await rig.driver.close()
  })
})

describe('waiting for an answer', () => {
  test('ends after a time, and the next action is sent', async () => {
    const rig = overPipe({ actions: [{ method: 'one' }, { method: 'two' }] })
    await rig.performHandshake()
    void rig.perform()
    expect((await rig.hear()).method).toBe('one')
    await rig.clock.advance(29_999)
    expect(codes(rig)).toEqual([])
    await rig.clock.advance(1)
    expect(codes(rig)).toEqual(['reply-missing'])
    expect((await rig.hear()).method).toBe('two')
    await rig.driver.close()
  })

  test('begins anew with progress on that request only', async () => {
    const rig = overPipe({ actions: [{ method: 'one', params: { _meta: { progressToken: 'mine' } } }] })
    await rig.performHandshake()
    const performed = rig.perform()
    await rig.hear()
    await rig.clock.advance(20_000)
    await rig.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } })
    await rig.clock.advance(20_000)
    await rig.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'other', progress: 1 } })
    await rig.clock.advance(9_999)
    expect(codes(rig)).toEqual([])
    await rig.clock.advance(1)
    await performed
    expect(codes(rig)).toEqual(['reply-missing'])
    await rig.driver.close()
  })

  test('a late answer is still an event, a second one is not', async () => {
    const rig = overPipe({ actions: [{ method: 'one' }] })
    await rig.performHandshake()
    const performed = rig.perform()
    const { id } = await rig.hear()
    await rig.clock.advance(30_000)
    await performed
    await rig.say({ jsonrpc: '2.0', id, result: { n: 1 } })
    await rig.say({ jsonrpc: '2.0', id, result: { n: 2 } })
    await settle()
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'one', content: { n: 1 } })
    expect(traced(rig).at(-1)).toBe('in response one {"n":2}')
    expect(codes(rig)).toEqual(['reply-missing', 'reply-unexpected'])
    await rig.driver.close()
  })
})
