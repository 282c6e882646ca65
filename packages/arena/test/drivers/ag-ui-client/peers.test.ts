/**
 * Real peers over sockets: our own agent server, and one held to the SDK's schemas, whose stream its client reads as
 * well.
 */
import { createServer } from 'node:http'
import { type BaseEvent, EventType, HttpAgent } from '@ag-ui/client'
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas'
import type { Agent } from '@joust/agentformat'
import { systemClock } from '@joust/io'
import { createRuntime, type LanguageModel, serveAgUi } from '@joust/runtime'
import { type Script, scriptedModel } from '@joust/sim'
import type { Value } from '@joust/source'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../../io/test/loopback.ts'
import { createAgUiClientDriver } from '../../../src/drivers/ag-ui-client/driver.ts'
import { createHttpSend } from '../../../src/transport/http-client.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

async function attack(url: string, state: Value) {
  const stage = createFakeStage('ag_ui_client', state)
  const driver = createAgUiClientDriver(contextOf(stage, systemClock), { kind: 'http', url, send: createHttpSend() })
  await driver.open()
  await driver.perform?.(stage.scene(), new AbortController().signal)
  await driver.close()
  const heard = stage.messages.filter(({ flow, derived }) => flow === 'in' && derived !== true)
  return { stage, heard, surfaces: heard.map(({ surface }) => surface) }
}

const pay = { name: 'pay', description: 'Pays.', parameters: { type: 'object' } }
const run_agent_input = {
  threadId: 't1',
  runId: 'r1',
  messages: [{ id: 'u1', role: 'user', content: 'Pay him.' }],
  tools: [pay],
}

/** A react agent with a scripted model, and what the model was asked. */
async function serveAgent(script: Script, aliases: readonly string[] = []) {
  const asked: string[] = []
  const scripted = scriptedModel(script)
  const model: LanguageModel = {
    ...scripted,
    doGenerate: (call) => scripted.doGenerate(call),
    doStream(call) {
      asked.push(JSON.stringify(call.prompt))
      return scripted.doStream(call)
    },
  }
  const agent: Agent = {
    source: 'a.agf.yaml',
    document: {
      schema_version: '1.0.0',
      metadata: { id: 'a', name: 'a', version: '1', description: 'An agent.' },
      interface: { input: { type: 'string' }, output: { type: 'string' } },
      execution_policy: { id: 'agf.react', config: { instructions: 'Do it.', model: 'm' } },
      action_space: { local_tools: aliases.map((alias) => ({ alias })) },
    },
    agents: new Map(),
  }
  const tools = Object.fromEntries(aliases.map((alias) => [alias, { call: () => 2 }]))
  const runtime = createRuntime({ env: {}, models: () => model, tools })
  const served = await serveAgUi(runtime, agent)
  onTestFinished(async () => {
    await served.close()
    await runtime.close()
  })
  return { url: served.url, asked }
}

describe('against our own agent server', () => {
  it('feeds results back until the agent is done', async () => {
    const { url, asked } = await serveAgent([
      { text: 'I will.', tool_calls: [{ id: 'c1', name: 'pay', arguments: { amount: 5 } }] },
      { text: 'As you say.' },
    ])
    const tool_responses = [{ when: { toolCallName: 'pay' }, content: { content: 'INJECTED {{response.toolCallId}}' } }]
    const { stage, surfaces, heard } = await attack(url, { run_agent_input, tool_responses })
    expect(asked.map((prompt) => prompt.includes('INJECTED c1'))).toEqual([false, true])
    expect(surfaces.filter((name) => !name.startsWith('step_') && name !== 'text_message_content')).toEqual([
      'run_started',
      'text_message_start',
      'text_message_end',
      'tool_call_start',
      'tool_call_args',
      'tool_call_end',
      'run_finished',
      'run_started',
      'text_message_start',
      'text_message_end',
      'run_finished',
    ])
    const said = heard.flatMap(({ surface, content }) =>
      surface === 'text_message_content' ? [Object(content).delta] : [],
    )
    expect(said.join('')).toBe('I will.As you say.')
    expect(stage.messages.find(({ surface }) => surface === 'tool_call_result')?.content).toMatchObject({
      toolCallId: 'c1',
      content: 'INJECTED c1',
    })
    expect(stage.reports).toEqual([])
  })

  it('does not answer for tools that the agent runs itself', async () => {
    const script = [{ tool_calls: [{ id: 'c1', name: 'add', arguments: {} }] }, { text: 'Done.' }]
    const { url } = await serveAgent(script, ['add'])
    const { stage, surfaces } = await attack(url, { run_agent_input: { ...run_agent_input, tools: [] } })
    expect(surfaces.filter((name) => name === 'run_started')).toHaveLength(1)
    expect(surfaces).toContain('tool_call_result')
    expect(stage.messages.filter(({ flow }) => flow === 'out')).toHaveLength(1)
    expect(stage.reports).toEqual([])
  })

  it('gets the reason for rejected input', async () => {
    const { url } = await serveAgent([])
    const state = { run_agent_input: { ...run_agent_input, messages: [{ role: 'wizard' }] } }
    await expect(attack(url, state)).rejects.toThrow('HTTP 422: {"error":"invalid RunAgentInput')
  })
})

/** A server that accepts and sends only what the SDK's schemas allow. */
async function serve(runs: (input: { messages: readonly { role: string }[] }) => readonly object[]): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const read = RunAgentInputSchema.safeParse(JSON.parse(text))
    if (!read.success) return void response.writeHead(422).end(read.error.message)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of runs(read.data)) response.write(`data: ${JSON.stringify(EventSchemas.parse(event))}\n\n`)
    response.end()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${await listen(server)}/`
}

const begin = { type: EventType.RUN_STARTED, threadId: 't1', runId: 'r1' }
const end = { type: EventType.RUN_FINISHED, threadId: 't1', runId: 'r1' }

describe('against a server of the SDK', () => {
  const stream = [
    begin,
    { type: EventType.STEP_STARTED, stepName: 's' },
    { type: EventType.REASONING_START, messageId: 'q' },
    { type: EventType.REASONING_MESSAGE_START, messageId: 'q', role: 'reasoning' },
    { type: EventType.REASONING_MESSAGE_CONTENT, messageId: 'q', delta: 'Hm.' },
    { type: EventType.REASONING_MESSAGE_END, messageId: 'q' },
    { type: EventType.REASONING_END, messageId: 'q' },
    { type: EventType.TEXT_MESSAGE_START, messageId: 'm', role: 'assistant' },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm', delta: 'Grüße 🙂\n' },
    { type: EventType.TEXT_MESSAGE_END, messageId: 'm' },
    { type: EventType.TOOL_CALL_START, toolCallId: 'c1', toolCallName: 'look', parentMessageId: 'm' },
    { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '{"a":' },
    { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '1}' },
    { type: EventType.TOOL_CALL_END, toolCallId: 'c1' },
    { type: EventType.TOOL_CALL_RESULT, messageId: 'x', toolCallId: 'c1', content: 'seen', role: 'tool' },
    { type: EventType.STATE_SNAPSHOT, snapshot: { n: 1 } },
    { type: EventType.CUSTOM, name: 'n', value: [1] },
    { type: EventType.RAW, event: { a: 1 } },
    { type: EventType.TOOL_CALL_START, toolCallId: 'c2', toolCallName: 'pay' },
    { type: EventType.TOOL_CALL_END, toolCallId: 'c2' },
    { type: EventType.STEP_FINISHED, stepName: 's' },
    end,
  ]

  it('gets the same events as the official client, with the names of calls', async () => {
    const url = await serve(({ messages }) => (messages.at(-1)?.role === 'tool' ? [begin, end] : stream))
    const events: BaseEvent[] = []
    const agent = new HttpAgent({ url, threadId: 't1' })
    agent.subscribe({ onEvent: ({ event }) => void events.push(event) })
    const { newMessages } = await agent.runAgent({ runId: 'r1' })
    const { heard, stage } = await attack(url, { run_agent_input })
    const names = new Map([
      ['c1', 'look'],
      ['c2', 'pay'],
    ])
    const expected = events.map((event) => {
      const name = names.get(String(event.toolCallId))
      return name === undefined ? event : { ...event, toolCallName: name }
    })
    // The recorded end of a call has its arguments besides what was sent.
    const plain = heard.slice(0, events.length).map(({ content }) => {
      const { _arguments, ...sent } = Object(content)
      return sent
    })
    expect(plain).toEqual(JSON.parse(JSON.stringify(expected)))
    expect(events).toHaveLength(stream.length)

    // The continued conversation is the one that the official client has after the same stream.
    const next = stage.messages.filter(({ surface }) => surface === 'run_agent_input')[1]?.content
    const mine: readonly { role: string }[] = Object(next).messages.slice(1)
    const calls = (all: readonly object[]) => all.flatMap((one) => Object(one).toolCalls ?? [])
    expect(calls(mine)).toEqual(calls(newMessages))
    expect(mine.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool'])
    expect(newMessages.filter(({ role }) => role !== 'reasoning').map(({ role }) => role)).toEqual(
      mine.slice(0, 3).map(({ role }) => role),
    )
    expect(Object(next).state).toEqual({ n: 1 })
    expect(stage.reports).toEqual([])
  })

  it('is accepted with only ids, and in every continuation', async () => {
    const inputs: object[] = []
    const url = await serve((input) => {
      inputs.push(input)
      const asked = { type: EventType.TOOL_CALL_START, toolCallId: `c${inputs.length}`, toolCallName: 'pay' }
      return [begin, ...(inputs.length < 4 ? [asked, { ...asked, type: EventType.TOOL_CALL_END }] : []), end]
    })
    const { stage } = await attack(url, { run_agent_input: { threadId: 't1', runId: 'r1' } })
    expect(inputs).toHaveLength(4)
    expect(stage.reports).toEqual([])
  })
})
