/** MCP over a pipe: one session, one line per message. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { createMcpServerDriver } from '../../../src/drivers/mcp-server/driver.ts'
import { createMemoryPipe } from '../../../src/transport/memory-pipe.ts'
import { createFakeClock, settle } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const pong = { jsonrpc: '2.0', id: 1, result: {} }

async function openPipe(state: Value) {
  const [ours, theirs] = createMemoryPipe(10_000)
  const stage = createFakeStage('mcp_server', state)
  const clock = createFakeClock()
  const driver = createMcpServerDriver(contextOf(stage, clock), { kind: 'pipe', pipe: ours })
  const lines: Value[] = []
  const over = (async () => {
    for await (const { text } of theirs.lines) lines.push(JSON.parse(text))
  })()
  await driver.open()
  const send = async (message: unknown) => {
    await theirs.send(typeof message === 'string' ? message : JSON.stringify(message))
    await settle()
  }
  return { stage, clock, driver, lines, send, theirs, over }
}

describe('a pipe', () => {
  it('carries requests, notifications and batches', async () => {
    const { send, lines, stage, driver } = await openPipe({})
    expect(driver.address?.()).toBeUndefined()
    await send(ping)
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await send('')
    await send([ping, { jsonrpc: '2.0', method: 'notifications/x' }, { ...ping, id: 'b' }])
    expect(lines).toEqual([pong, [pong, { ...pong, id: 'b' }]])
    expect(stage.events).toHaveLength(5)
    expect(stage.messages.every(({ session }) => session === undefined)).toBe(true)
    expect(stage.reports).toEqual([])
  })

  it('records malformed lines', async () => {
    const { send, lines, stage } = await openPipe({})
    await send('not JSON')
    await send('x'.repeat(20_000))
    expect(lines).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } },
    ])
    expect(stage.messages.filter(({ malformed }) => malformed !== undefined).map(({ content }) => content)).toEqual([
      'not JSON',
      'x'.repeat(10_000),
    ])
    expect(stage.reports.map(({ code }) => code)).toEqual(['message-malformed', 'message-malformed'])
  })

  it('receives replies while a call is pending', async () => {
    const state = { tools: [{ name: 't', responses: [{ content: 'done' }] }], elicitations: [{ message: 'm' }] }
    const { send, lines, stage } = await openPipe(state)
    await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } })
    await send(ping)
    expect(lines).toMatchObject([{ id: 'id-1', method: 'elicitation/create' }, pong])
    await send({ jsonrpc: '2.0', id: 'id-1', result: { action: 'cancel' } })
    expect(lines.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: 'done' })
    expect(stage.events.map(({ surface }) => surface)).toEqual(['ping', 'elicitation/create', 'tools/call'])
  })

  it('reports the answer to a cancelled call as undelivered', async () => {
    const state = { tools: [{ name: 't', responses: [{ content: 'done' }] }], elicitations: [{ message: 'm' }] }
    const { send, stage } = await openPipe(state)
    const cancel = (requestId: number) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
    await send(ping)
    await send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 't' } })
    await send(cancel(1))
    expect(stage.reports).toEqual([])
    await send(cancel(2))
    const message = 'the agent cancelled tools/call before the response arrived'
    expect(stage.reports).toEqual([{ code: 'answer-undelivered', message }])
  })

  it('gets entry messages after the handshake', async () => {
    const { send, lines, stage, driver } = await openPipe({})
    await driver.send({ method: 'notifications/a' }, stage.scene())
    await settle()
    expect(lines).toEqual([])
    await send({ ...ping, method: 'initialize' })
    expect(lines.slice(1)).toEqual([{ jsonrpc: '2.0', method: 'notifications/a' }])
    await driver.send({ method: 'roots/list' }, stage.scene())
    await settle()
    expect(lines.at(-1)).toEqual({ jsonrpc: '2.0', id: 'id-1', method: 'roots/list' })
  })

  it('that breaks ends all waits for a reply', async () => {
    const state = { tools: [{ name: 't', responses: [{ content: 'done' }] }], elicitations: [{ message: 'm' }] }
    const { send, stage, driver, theirs, clock } = await openPipe(state)
    await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } })
    await theirs.close()
    await settle()
    expect(clock.pending()).toBe(0)
    await driver.close()
    expect(stage.reports).toEqual([
      { code: 'reply-missing', message: 'elicitation/create: the peer disconnected (the other end was closed)' },
      { code: 'answer-undelivered', message: 'the peer disconnected before the response to tools/call was sent' },
    ])
  })

  it('resolves when its only peer is gone and all its messages are handled', async () => {
    const state = { tools: [{ name: 't' }], elicitations: [{ message: 'm' }] }
    const { send, stage, driver, theirs } = await openPipe(state)
    let events: number | undefined
    const gone = driver.gone?.then(() => {
      events = stage.events.length
    })
    await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } })
    expect(events).toBeUndefined()
    await theirs.close()
    await gone
    expect(events).toBe(1)
  })

  it('is closed with the driver', async () => {
    const { driver, over, theirs } = await openPipe({})
    await driver.close()
    await over
    expect(theirs.ending()).toBeDefined()
  })
})
