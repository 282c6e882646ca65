/** The tables of the bindings are kept: every event of §7.1 to §7.3 can fire a trigger, every entry action is known. */
import { type Action, findMode, knownModes } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { enterPhase } from '../../src/actors/entry-actions.ts'
import type { Driver } from '../../src/drivers/driver.ts'
import * as a2a from '../support/a2a.ts'
import type { FakeStage } from '../support/fake-stage.ts'
import * as mcpServer from '../support/mcp-server.ts'
import * as agUi from './ag-ui-client/support.ts'
import * as mcpClient from './mcp-client/support.ts'

/** For each mode: makes the event happen and returns what a trigger would have counted. */
const happen: { readonly [mode: string]: (event: string) => Promise<readonly string[]> } = {
  async mcp_server(event) {
    const pages = [{ path: '/page', content: { status: 204 } }]
    const { call, driver, initialize, listen, post, stage } = await mcpServer.openServer({ 'x-joust-pages': pages })
    if (event === 'http/page') await call('GET', {}, undefined, '/mcp/page')
    else if (isServerRequest(event)) {
      const session = await initialize()
      const stream = await listen(session)
      await driver.send({ method: event, params: {} }, stage.scene())
      await mcpServer.settle()
      const id = (stream.messages.at(-1) as { readonly id?: unknown } | undefined)?.id
      await post({ jsonrpc: '2.0', id, result: {} }, session)
    } else await post({ jsonrpc: '2.0', method: event, params: {}, ...(isNotification(event) ? {} : { id: 1 }) })
    await mcpServer.settle()
    return stage.events.map(({ surface }) => surface)
  },
  async mcp_client(event) {
    const rig = mcpClient.overPipe({ actions: [{ method: event }] })
    await rig.performHandshake()
    if (isNotification(event)) await rig.say({ jsonrpc: '2.0', method: event })
    else if (isServerRequest(event)) await rig.say({ jsonrpc: '2.0', id: 'q', method: event, params: {} })
    else {
      const performed = rig.perform()
      await rig.say({ jsonrpc: '2.0', id: (await rig.hear()).id, result: {} })
      await performed
    }
    await mcpClient.settle()
    await rig.driver.close()
    return rig.stage.events.map(({ surface }) => surface)
  },
  async a2a_server(event) {
    const { ask, post, stage } = await a2a.openServer({ 'x-joust-signature': { key: 'k' } })
    if (event === 'agent_card/get') await ask('GET', '/.well-known/agent-card.json')
    else if (event === 'agent_card/keys') await ask('GET', '/.well-known/jwks.json')
    else if (event === 'task/push') await post(JSON.stringify({ task: { id: 't' } }))
    else await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: event, params: a2a.say('hello') }))
    return stage.events.map(({ surface }) => surface)
  },
  async a2a_client(event) {
    const isItem = event.startsWith('task/')
    const method = isItem ? 'message/stream' : event
    const status = { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'working' }, final: false }
    const artifact = { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [] } }
    const { perform, stage } = await a2a.openClient({ actions: [{ method }] }, ({ id }, reply) =>
      isItem ? a2a.events(reply, id, [status, artifact]) : a2a.json(reply, { jsonrpc: '2.0', id, result: {} }),
    )
    await perform()
    return stage.events.map(({ surface }) => surface)
  },
  async ag_ui_client(event) {
    const streamed = { type: event.toUpperCase(), toolCallId: 'c', toolCallName: 'pay', messageId: 'm', delta: 'x' }
    const result = { type: 'TOOL_CALL_RESULT', toolCallId: 'c', content: '' }
    const wanted = event === 'run_agent_input' ? [] : [streamed, result]
    const { perform, stage } = await agUi.play({ run_agent_input: agUi.input }, agUi.streams(agUi.runOf(...wanted)))
    await perform()
    return stage.events.map(({ surface }) => surface)
  },
}

/** For each mode: a driver at work, and a message that it can be told to send. */
const open: { readonly [mode: string]: () => Promise<{ driver: Driver; stage: FakeStage; method: string }> } = {
  mcp_server: async () => ({ ...(await mcpServer.openServer({})), method: 'notifications/tools/list_changed' }),
  async mcp_client() {
    const rig = mcpClient.overPipe({})
    await rig.performHandshake()
    return { ...rig, method: 'notifications/cancelled' }
  },
  a2a_server: async () => ({ ...(await a2a.openServer({})), method: 'task/status' }),
  async a2a_client() {
    const client = await a2a.openClient({}, ({ id }, reply) => a2a.json(reply, { jsonrpc: '2.0', id, result: {} }))
    return { ...client, method: 'tasks/get' }
  },
  async ag_ui_client() {
    return {
      ...(await agUi.play({ run_agent_input: agUi.input }, agUi.streams(agUi.runOf()))),
      method: 'run_agent_input',
    }
  },
}

/** §7.1.6, §7.2.6 and §7.3.4; an A2A agent has no connection to `send` on. */
const entryActions: { readonly [mode: string]: readonly string[] } = {
  mcp_server: ['send', 'log'],
  mcp_client: ['send', 'log'],
  a2a_server: ['log', 'send_push_notification'],
  a2a_client: ['send', 'log', 'send_push_notification'],
  ag_ui_client: ['send', 'log'],
}

test('every mode is tested here', () => {
  expect([Object.keys(happen), Object.keys(open)]).toEqual([knownModes(), knownModes()])
})

describe.each([...knownModes()])('%s', (mode) => {
  test.each(findMode(mode)?.events ?? [])('%s can fire a trigger', async (event) => {
    expect(await happen[mode]?.(event)).toContain(event)
  })

  test('the entry actions of the binding are performed, and any other is reported', async () => {
    const names = ['send', 'log', 'send_push_notification', 'juggle']
    const known = await Promise.all(
      names.map(async (name) => {
        const opened = await open[mode]?.()
        if (opened === undefined) throw new Error(`no driver of ${mode}`)
        const { driver, stage, method } = opened
        const action: Action = { [name]: { method, message: 'x' } }
        await enterPhase([action], stage.scene(), driver, stage, 'phase').written
        await driver.close()
        return stage.reports.some(({ code }) => code === 'unknown-action') ? [] : [name]
      }),
    )
    expect(known.flat()).toEqual(entryActions[mode])
    expect([...(findMode(mode)?.entryActions ?? [])].sort()).toEqual([...known.flat()].sort())
  })
})

function isNotification(event: string): boolean {
  return event.startsWith('notifications/')
}

function isServerRequest(event: string): boolean {
  return ['sampling/createMessage', 'elicitation/create', 'roots/list'].includes(event)
}
