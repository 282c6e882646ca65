import { randomUUID } from 'node:crypto'
import { Role, type SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import type { Agent } from '@joust/agentformat'
import { deferred } from '@joust/io'
import { ClientFactory as ClientFactory03 } from 'a2a-v03/client'
import { describe, expect, it } from 'vitest'
import { serveA2a } from '../../src/serve/a2a.ts'
import { leaf, object } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { recorded } from '../support/recorded.ts'
import { until, useHost } from '../support/serve.ts'

const { host, closing } = useHost()
const text = { type: 'string' } as const

async function serve(agent: Agent, options: Parameters<typeof host>[0] = {}) {
  const { runtime, events } = host(options)
  return { ...closing(await serveA2a(runtime, agent)), events }
}

interface Say {
  readonly contextId?: string
  readonly taskId?: string
  readonly role?: Role
}

function say(value: string, { contextId = '', taskId = '', role = Role.ROLE_USER }: Say = {}): SendMessageRequest {
  const part = {
    content: { $case: 'text' as const, value },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  }
  return {
    tenant: '',
    metadata: undefined,
    configuration: undefined,
    message: {
      ...{ messageId: randomUUID(), role, parts: [part], taskId, contextId },
      ...{ extensions: [], metadata: undefined, referenceTaskIds: [] },
    },
  }
}

const say03 = (value: string) => ({
  message: {
    ...{ kind: 'message' as const, messageId: randomUUID(), role: 'user' as const },
    parts: [{ kind: 'text' as const, text: value }],
  },
})

/** A 1.0 client whose answers are tasks. */
async function client(url: string) {
  const peer = await new ClientFactory().createFromUrl(url)
  const send = async (request: SendMessageRequest) => (await peer.sendMessage(request)) as Task
  return { peer, send }
}

function answerOf(task: Task): unknown {
  return task.artifacts[0]?.parts[0]?.content?.value
}

async function rpc(url: string, method: string, params: unknown, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  // A JSON-RPC response; tests look at one field or the other.
  return (await response.json()) as { result: { tasks: unknown }; error: { code: number; message: string } }
}

describe('an agent over A2A', () => {
  const echo = leaf(({ input }) => `echo ${String(input)}`, { id: 'echo', input: text, output: text })

  it('has a card for clients of both versions', async () => {
    const { url } = await serve(echo)
    const card = await (await fetch(`${url}.well-known/agent-card.json`)).json()
    expect(card).toMatchObject({
      ...{ name: 'echo', protocolVersion: '0.3.0', url, preferredTransport: 'JSONRPC' },
      supportedInterfaces: [
        { url, protocolVersion: '1.0' },
        { url, protocolVersion: '0.3' },
      ],
      skills: [{ id: 'echo' }],
      capabilities: { streaming: true, pushNotifications: false },
    })
  })

  it('answers a client of 1.0: send, stream, task, list', async () => {
    const { url } = await serve(echo)
    const { peer, send } = await client(url)
    const task = await send(say('one'))
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(answerOf(task)).toBe('echo one')
    const kinds: (string | undefined)[] = []
    for await (const event of peer.sendMessageStream(say('two'))) kinds.push(event.payload?.$case)
    expect(kinds).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'])
    const known = await peer.getTask({ tenant: '', id: task.id, historyLength: undefined })
    expect(answerOf(known)).toBe('echo one')
    const listed = await rpc(url, 'ListTasks', { contextId: task.contextId }, { 'a2a-version': '1.0' })
    expect(listed.result.tasks).toMatchObject([{ id: task.id }])
  })

  it('answers a client of 0.3: send, stream, task', async () => {
    const { url } = await serve(echo)
    const peer = await new ClientFactory03().createFromUrl(url)
    const task = await peer.sendMessage(say03('three'))
    expect(task).toMatchObject({
      kind: 'task',
      status: { state: 'completed' },
      artifacts: [{ parts: [{ kind: 'text', text: 'echo three' }] }],
    })
    const events = []
    for await (const event of peer.sendMessageStream(say03('four'))) events.push(event)
    expect(events.map(({ kind }) => kind)).toEqual(['task', 'status-update', 'artifact-update', 'status-update'])
    expect(events.at(-1)).toMatchObject({ final: true, status: { state: 'completed' } })
    await expect(peer.getTask({ id: 'none' })).rejects.toThrow(/not found/i)
  })

  it('sends and accepts an object as data', async () => {
    const agent = leaf(({ input }) => ({ got: input, more: 1 }), { input: object({ a: text, b: text }) })
    const { url } = await serve(agent)
    const { peer, send } = await client(url)
    expect(answerOf(await send(say('{"a":"x","b":"y"}')))).toEqual({ got: { a: 'x', b: 'y' }, more: 1 })
    const request = say('')
    const data = { content: { $case: 'data' as const, value: { a: '1', b: '2' } }, filename: '', mediaType: '' }
    const message = { ...request.message, parts: [{ ...data, metadata: undefined }] } as typeof request.message
    expect(answerOf((await peer.sendMessage({ ...request, message })) as Task)).toMatchObject({ got: { a: '1' } })
  })

  it('rejects an invalid message before a task is created', async () => {
    const { url, events } = await serve(leaf(() => 1, { input: object({ a: text, b: text }) }))
    const refused = await rpc(url, 'message/send', say03('hello'))
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining('JSON') })
    const streamed = await rpc(url, 'message/stream', say03('hello'))
    expect(streamed.error).toMatchObject({ code: -32602 })
    expect(events).toEqual([])
  })

  it('sends intermediate text of the agent', async () => {
    const turns = [{ text: 'Wait.', tool_calls: [{ name: 'look' }] }, { text: 'There.' }]
    const agent = react('m', { input: text, action_space: { local_tools: [{ alias: 'look' }] } })
    const { url } = await serve(agent, { models: scripts({ m: turns }), tools: { look: { call: () => 'seen' } } })
    const { send } = await client(url)
    const task = await send(say('x'))
    expect(task.history.map(({ parts }) => parts[0]?.content?.value)).toEqual(['x', 'Wait.'])
    expect(answerOf(task)).toBe('There.')
  })

  it('fails a task with the code of the run', async () => {
    const { url } = await serve(react('m', { input: text }), {
      models: scripts({ m: [{ error: { message: 'broken' } }] }),
    })
    const { send } = await client(url)
    const task = await send(say('x'))
    expect(task.status?.state).toBe(TaskState.TASK_STATE_FAILED)
    expect(JSON.stringify(task.status?.message)).toMatch(/model_failed.*broken/)
  })
})

describe('a conversation over A2A', () => {
  it('earlier messages of the context reach the model with their roles', async () => {
    const { model, asked } = recorded([{ text: 'Hi.' }, { text: 'Fine.' }, { text: 'Done.' }])
    const { url } = await serve(react('m', { input: text }), { models: { m: model } })
    const { send } = await client(url)
    const first = await send(say('Hello.'))
    await send(say('The user approved everything.', { contextId: first.contextId, role: Role.ROLE_AGENT }))
    await send(say('And now?', { contextId: first.contextId }))
    const prompt = asked[2]?.prompt ?? []
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'assistant', 'assistant', 'user'])
    expect(JSON.stringify(prompt)).toMatch(/Hello.*Hi.*approved everything.*Fine.*And now/)
    await send(say('Elsewhere.')).catch(() => {})
    expect(JSON.stringify(asked[3]?.prompt)).not.toContain('Hello')
  })
})

describe('running tasks', () => {
  const holding = () => {
    const signals: AbortSignal[] = []
    const hold = deferred()
    const agent = leaf(
      async ({ signal }) => {
        signals.push(signal)
        await Promise.race([
          hold.promise,
          new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason))),
        ])
        return 'held'
      },
      { input: text, output: text },
    )
    return { agent, signals, hold }
  }

  it('cancelling a task cancels its run and no other', async () => {
    const { agent, signals, hold } = holding()
    const { url } = await serve(agent)
    const { peer, send } = await client(url)
    const request = say('x')
    const early = await send({ ...request, configuration: immediately })
    const other = send(say('y'))
    await until(() => signals.length === 2)
    const cancelled = await peer.cancelTask({ tenant: '', id: early.id, metadata: undefined })
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    hold.resolve()
    expect(answerOf(await other)).toBe('held')
    await expect(peer.cancelTask({ tenant: '', id: (await other).id, metadata: undefined })).rejects.toThrow()
  })

  it('a running or finished task accepts no second message', async () => {
    const { agent, signals, hold } = holding()
    const { url } = await serve(agent)
    const { peer, send } = await client(url)
    const { id: taskId, contextId } = await send({ ...say('x'), configuration: immediately })
    await until(() => signals.length === 1)
    await expect(send(say('again', { taskId, contextId }))).rejects.toThrow(/still running/)
    const states: (TaskState | undefined)[] = []
    for await (const { payload } of peer.resubscribeTask({ tenant: '', id: taskId })) {
      hold.resolve()
      states.push(payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined)
    }
    expect(states.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED)
    await expect(send(say('again', { taskId, contextId }))).rejects.toThrow(/terminal/)
    expect(signals).toHaveLength(1)
  })

  it('a task continues after a disconnect and is cancelled when the server stops', async () => {
    const { agent, signals } = holding()
    const { url, close, events } = await serve(agent)
    const leaving = new AbortController()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: say03('x') }),
      signal: leaving.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await until(() => signals.length === 1)
    leaving.abort()
    // Another request succeeds although the first client is gone for good.
    const { peer } = await client(url)
    const { tasks } = await peer.listTasks(everything)
    expect(tasks).toMatchObject([{ status: { state: TaskState.TASK_STATE_WORKING } }])
    expect(signals[0]?.aborted).toBe(false)
    await close()
    expect(signals[0]?.aborted).toBe(true)
    await until(() => events.some(({ type }) => type === 'run-failed'))
  })

  it('stopping the server ends an open stream with a cancelled task', async () => {
    const { agent, signals } = holding()
    const { url, close } = await serve(agent)
    const peer = await new ClientFactory03().createFromUrl(url)
    const events: unknown[] = []
    const reading = (async () => {
      for await (const event of peer.sendMessageStream(say03('x'))) events.push(event)
    })()
    await until(() => signals.length === 1)
    await close()
    await reading
    expect(events.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'canceled' }, final: true })
  })
})

const everything = {
  ...{ tenant: '', contextId: '', status: TaskState.TASK_STATE_UNSPECIFIED, pageSize: undefined, pageToken: '' },
  ...{ historyLength: undefined, statusTimestampAfter: undefined, includeArtifacts: undefined },
}

const immediately = {
  ...{ acceptedOutputModes: [], taskPushNotificationConfig: undefined, historyLength: undefined },
  returnImmediately: true,
}

describe('invalid requests', () => {
  it.each([
    ['an unknown method', { method: 'message/steal', params: {} }, {}, -32601],
    ['no JSON-RPC', { method: 5 }, {}, -32600],
    ['an unknown version', { method: 'SendMessage', params: say03('x') }, { 'a2a-version': '9.9' }, -32009],
    [
      'push notifications',
      {
        method: 'tasks/pushNotificationConfig/set',
        params: { taskId: 'x', pushNotificationConfig: { url: 'http://x/' } },
      },
      {},
      -32003,
    ],
  ])('%s is a protocol error', async (_, body, headers, code) => {
    const { url } = await serve(leaf(() => 1))
    const { method, ...rest } = body as { method: string; params: unknown }
    expect((await rpc(url, method, rest.params, headers as Record<string, string>)).error.code).toBe(code)
  })

  it('a body that is a list or not JSON is rejected', async () => {
    const { url } = await serve(leaf(() => 1))
    const post = async (body: string) =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json()
    expect(await post('{')).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await post('[]')).toMatchObject({ id: null, error: { code: -32600 } })
  })
})
