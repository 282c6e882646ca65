/** Approvals of served agents over the protocols, with their official clients. */
import { randomUUID } from 'node:crypto'
import { type Message, Role, TaskState } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { HttpAgent, type RunAgentParameters } from '@ag-ui/client'
import type { Value } from '@joust/source'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { schemaValidator } from '../../src/connectors/mcp-validator.ts'
import { serveAll } from '../../src/serve/all.ts'
import type { ServeOptions } from '../../src/serve/http.ts'
import { serveMcp } from '../../src/serve/mcp.ts'
import { react, scripts } from '../support/react.ts'
import { until, useHost } from '../support/serve.ts'

const { host, closing } = useHost()

/** An agent whose only tool needs an approval, served over all protocols; its model calls it several times. */
async function served(options: Partial<ServeOptions> = {}, calls = 1) {
  const paid: Value[] = []
  const agent = react(
    'm',
    {
      input: { type: 'string' },
      action_space: { local_tools: [{ alias: 'pay', approval: true }] },
    },
    { max_steps: 20 },
  )
  const call = { tool_calls: [{ name: 'pay', arguments: { amount: 5 } }] }
  const answers = [...Array.from({ length: calls }, () => call), { text: 'done' }]
  const { runtime, events } = host({
    models: scripts({ m: [...answers, ...answers] }),
    tools: {
      pay: (args) => {
        paid.push(args)
        return 'paid'
      },
    },
  })
  const all = await serveAll(runtime, agent, ['ag-ui', 'a2a', 'mcp'], { approvals: 'client', ...options })
  return { ...closing(all), paid, events }
}

const denial = (events: readonly { readonly type: string }[]) =>
  events.filter(({ type }) => type === 'approval-answered')

describe('AG-UI: an interrupt', () => {
  function client(url: string) {
    const agent = new HttpAgent({ url, threadId: 't1' })
    agent.messages = [{ id: 'm1', role: 'user', content: 'Pay 5.' }]
    const run = async (parameters: RunAgentParameters = {}) => {
      const outcomes: unknown[] = []
      await agent.runAgent(parameters, { onRunFinishedEvent: ({ event }) => void outcomes.push(event.outcome) })
      return outcomes.at(-1)
    }
    return { agent, run }
  }

  test.each([
    [{ approved: true }, [{ amount: 5 }]],
    [{ approved: false, reason: 'too much' }, []],
    ['nonsense', []],
  ])('answered with %j', async (payload, expected) => {
    const { urls, paid } = await served()
    const { agent, run } = client(urls['ag-ui'] ?? '')
    const first = await run()
    expect(first).toMatchObject({
      type: 'interrupt',
      interrupts: [
        {
          reason: 'tool_approval',
          expiresAt: expect.stringMatching(/T.*Z$/),
          metadata: { target: 'pay', args: { amount: 5 } },
        },
      ],
    })
    expect(paid).toEqual([])
    const [interrupt] = agent.pendingInterrupts
    const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload }]
    expect(await run({ resume })).toMatchObject({ type: 'success' })
    expect(paid).toEqual(expected)
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'done' })
  })

  test('abandoned, it is denied', async () => {
    const { urls, paid, events } = await served()
    const { agent, run } = client(urls['ag-ui'] ?? '')
    await run()
    await run({ resume: [{ interruptId: agent.pendingInterrupts[0]?.id ?? '', status: 'cancelled' }] })
    expect(paid).toEqual([])
    expect(denial(events)).toMatchObject([{ approved: false }])
  })

  test('without an answer in time, it is denied, and a late answer grants nothing', async () => {
    const { urls, paid, events } = await served({ approvalMs: 50 })
    const { agent, run } = client(urls['ag-ui'] ?? '')
    await run()
    await until(() => events.some(({ type }) => type === 'run-finished'))
    expect(denial(events)).toMatchObject([{ approved: false, reason: 'no answer within 0.05 seconds' }])
    const resume = [{ interruptId: agent.pendingInterrupts[0]?.id ?? '', status: 'resolved' as const, payload: true }]
    await run({ resume }).catch(() => {})
    expect(paid).toEqual([])
  })

  test('the answer of another thread grants nothing', async () => {
    const { urls, paid } = await served()
    const { agent, run } = client(urls['ag-ui'] ?? '')
    await run()
    const other = new HttpAgent({ url: urls['ag-ui'] ?? '', threadId: 't2' })
    const id = agent.pendingInterrupts[0]?.id ?? ''
    await other.runAgent({ resume: [{ interruptId: id, status: 'resolved', payload: true }] }).catch(() => {})
    expect(paid).toEqual([])
    expect(await run({ resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })).toMatchObject(
      {
        type: 'success',
      },
    )
    expect(paid).toEqual([{ amount: 5 }])
  })
})

describe('A2A: input-required', () => {
  const text = (value: string) => {
    return { content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: 'text/plain' }
  }
  const message = (words: string, more: Partial<Message> = {}): Message => ({
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    parts: [text(words)],
    contextId: '',
    taskId: '',
    extensions: [],
    referenceTaskIds: [],
    metadata: undefined,
    ...more,
  })

  async function client(url: string) {
    const peer = await new ClientFactory().createFromUrl(new URL('/', url).href)
    const send = async (words: string, more: Partial<Message> = {}) => {
      const configuration = undefined
      const result = await peer.sendMessage({ message: message(words, more), configuration, metadata: {}, tenant: '' })
      if (!('status' in result)) throw new Error('expected a task')
      return result
    }
    return { peer, send }
  }

  test.each([
    ['yes', [{ amount: 5 }]],
    ['no', []],
    ['yes, but only 3', []],
  ])('answered with %j', async (answer, expected) => {
    const { urls, paid } = await served()
    const { send } = await client(urls.a2a ?? '')
    const first = await send('Pay 5.')
    expect(first.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED)
    expect(JSON.stringify(first.status?.message)).toContain('pay {\\"amount\\":5}')
    expect(paid).toEqual([])
    const second = await send(answer, { taskId: first.id, contextId: first.contextId })
    expect(second.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(JSON.stringify(second.artifacts)).toContain('done')
    expect(paid).toEqual(expected)
  })

  test('without an answer in time, it is denied, and the task ends', async () => {
    const { urls, paid, events } = await served({ approvalMs: 200 })
    const { peer, send } = await client(urls.a2a ?? '')
    const { id, contextId } = await send('Pay 5.')
    await until(() => events.some(({ type }) => type === 'run-finished'))
    expect(paid).toEqual([])
    const task = await peer.getTask({ id, tenant: '', historyLength: undefined })
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    expect(JSON.stringify(task.artifacts)).toContain('done')
    await expect(send('yes', { taskId: id, contextId })).rejects.toThrow('terminal state')
    expect(paid).toEqual([])
  })

  test('a late yes does not approve another request', async () => {
    const { urls, paid, events } = await served({ approvalMs: 200 }, 2)
    const { send } = await client(urls.a2a ?? '')
    const { id, contextId } = await send('Pay 5.')
    await until(() => denial(events).length > 0)
    await send('yes', { taskId: id, contextId }).catch(() => {})
    await until(() => events.some(({ type }) => type === 'run-finished'))
    expect(paid).toEqual([])
    expect(denial(events)).toMatchObject([{ approved: false }, { approved: false }])
  })

  test('a cancelled task does not wait any longer', async () => {
    const { urls, paid, events } = await served()
    const { peer, send } = await client(urls.a2a ?? '')
    const { id } = await send('Pay 5.')
    const task = await peer.cancelTask({ id, tenant: '', metadata: undefined })
    expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    await until(() => events.some(({ type }) => type === 'run-failed'))
    expect(paid).toEqual([])
  })

  test('a task of a stream is cancelled, too', async () => {
    const { urls, events } = await served()
    const { peer } = await client(urls.a2a ?? '')
    let id = ''
    const request = { message: message('Pay 5.'), configuration: undefined, metadata: {}, tenant: '' }
    for await (const { payload } of peer.sendMessageStream(request))
      if (payload?.$case === 'task') id = payload.value.id
    const task = await peer.cancelTask({ id, tenant: '', metadata: undefined })
    expect(task.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    await until(() => events.some(({ type }) => type === 'run-failed'))
  })

  test('data decides before text', async () => {
    const { urls, paid } = await served()
    const { send } = await client(urls.a2a ?? '')
    const { id, contextId } = await send('Pay 5.')
    const parts = [text('yes'), { ...text(''), content: { $case: 'data' as const, value: { approved: false } } }]
    await send('', { taskId: id, contextId, parts })
    expect(paid).toEqual([])
  })
})

describe('MCP: elicitation', () => {
  async function client(url: string, mode: 'legacy' | 'auto', answer: Value | undefined | Promise<never>) {
    const options = {
      versionNegotiation: { mode },
      jsonSchemaValidator: schemaValidator,
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
    }
    const peer = closing(new Client({ name: 'peer', version: '1' }, options))
    const asked: unknown[] = []
    if (answer !== undefined)
      peer.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params)
        // Results of this type are JSON.
        return answer as { action: 'accept' }
      })
    await peer.connect(new StreamableHTTPClientTransport(new URL(url)))
    const pay = () => peer.callTool({ name: 'm', arguments: { input: 'Pay 5.' } })
    return { asked, pay }
  }

  const cases = (['legacy', 'auto'] as const).flatMap((mode) => [
    [mode, { action: 'accept', content: { approve: true } }, [{ amount: 5 }]] as const,
    [mode, { action: 'accept', content: { approve: false } }, []] as const,
    [mode, { action: 'decline' }, []] as const,
  ])

  test.each(cases)('%s, answered with %j', async (mode, answer, expected) => {
    const { urls, paid } = await served()
    const { asked, pay } = await client(urls.mcp ?? '', mode, answer)
    expect(await pay()).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect(asked).toMatchObject([{ message: expect.stringContaining('pay') }])
    expect(paid).toEqual(expected)
  })

  test('a client that cannot ask its user is denied at once, and gets the answer of the agent', async () => {
    const { urls, paid, events } = await served()
    const { pay } = await client(urls.mcp ?? '', 'legacy', undefined)
    expect(await pay()).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect(denial(events)).toMatchObject([{ approved: false, reason: 'the client does not support elicitation' }])
    expect(paid).toEqual([])
  })

  test('without an answer in time, it is denied, and the call has a result', async () => {
    const { urls, paid, events } = await served({ approvalMs: 200 })
    const { pay } = await client(urls.mcp ?? '', 'legacy', new Promise<never>(() => {}))
    expect(await pay()).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect(denial(events)).toMatchObject([{ approved: false }])
    expect(paid).toEqual([])
  })

  test('as many requests as the agent has', async () => {
    const { urls, paid } = await served({}, 12)
    const { asked, pay } = await client(urls.mcp ?? '', 'legacy', { action: 'accept', content: { approve: true } })
    expect(await pay()).toMatchObject({ content: [{ type: 'text', text: 'done' }] })
    expect([asked.length, paid.length]).toEqual([12, 12])
  })

  test('an invented state grants nothing', async () => {
    const { runtime } = host()
    const { url } = closing(await serveMcp(runtime, react('sim/cautious'), { approvals: 'client' }))
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'main', arguments: { input: 'x' }, requestState: 'x', inputResponses: {} },
      }),
    })
    expect(await response.text()).not.toContain('simulated')
  })
})

test('health and readiness need no token and say nothing about the agent', async () => {
  const { url } = await served({ token: 'secret' })
  for (const path of ['healthz', 'readyz']) {
    const response = await fetch(`${url}${path}`)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  }
  expect((await fetch(url)).status).toBe(401)
  const unknown = await fetch(url, { headers: { authorization: 'Bearer secret' } })
  expect(await unknown.json()).toEqual({ error: 'not found: /; available: /ag-ui/, /a2a/, /mcp/' })
})
