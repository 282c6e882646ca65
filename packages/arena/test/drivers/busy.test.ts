/** Agents that are busy at first, that answer somewhere else, and that name their events only in the stream. */
import { createServer, type ServerResponse } from 'node:http'
import type { Attack } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { endpointTarget } from '../../../targets/src/endpoint.ts'
import { type AttackRun, runAttack } from '../../src/run.ts'
import { loadedAttack } from '../support/attacks.ts'

const limits = { graceMs: 0, observeMs: 0, runMs: 10_000, replyMs: 5000 }

/** An agent for all three protocols that turns the first requests away. */
async function agent(refusals: readonly (readonly [status: number, after?: string])[]) {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const refusal = refusals[asked.length]
    asked.push(body)
    if (refusal !== undefined) {
      const [status, after] = refusal
      return void response.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end('busy')
    }
    answer(JSON.parse(body), response)
  })
  return { url: `${await listenForTest(server)}/rpc`, asked }
}

function answer(asked: { id?: number; method?: string }, response: ServerResponse): void {
  const { id, method } = asked
  if (method === undefined) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
    const run = { threadId: 't', runId: 'r' }
    const text = event('TEXT_MESSAGE_CONTENT', { messageId: 'm', delta: 'the secret' })
    response.end(`${event('RUN_STARTED', run)}${text}${event('RUN_FINISHED', run)}`)
    return
  }
  if (id === undefined) return void response.writeHead(202).end()
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } }
  const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'the secret' }] }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? hello : message }))
}

const seen = { direction: 'response', target: '', pattern: { condition: { contains: 'the secret' } } } as const
const params = {
  message: { kind: 'message', messageId: 'q', role: 'user', parts: [{ kind: 'text', text: 'Tell me.' }] },
}
const user = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'Tell me.' }] }
const attacks: Readonly<Record<string, Partial<Attack>>> = {
  a2a: {
    execution: { mode: 'a2a_client', state: { actions: [{ method: 'message/send', params }] } },
    indicators: [{ ...seen, surface: 'message/send' }],
  },
  ag_ui: {
    execution: { mode: 'ag_ui_client', state: { run_agent_input: user } },
    indicators: [{ ...seen, surface: 'text_message_content' }],
  },
  mcp: {
    execution: { mode: 'mcp_client', state: { actions: [{ method: 'prompts/get', params: { name: 'p' } }] } },
    indicators: [{ ...seen, surface: 'prompts/get' }],
  },
}

const told = ({ diagnostics }: AttackRun, code: string) => diagnostics.filter((one) => one.code === code)

describe.each(Object.entries(attacks))('over %s', (_, attack) => {
  test('HTTP 429 and 503 are retried and reported', async () => {
    const { url, asked } = await agent([[429, '0'], [503]])
    const run = await runAttack(loadedAttack(attack), { connect: { default: { url } }, limits })
    expect(run.outcome).toBe('exploited')
    expect(asked[0]).toBe(asked[2])
    const busy = told(run, 'agent-busy').map(({ message }) => message)
    expect(busy).toEqual([429, 503].map((status) => `the agent was busy (HTTP ${status}); the request was retried`))
    // A message that was tried again is recorded once.
    const [first, ...rest] = run.trace.filter(({ flow }) => flow === 'out')
    expect(rest.some(({ surface }) => surface === first?.surface)).toBe(false)
  })

  test('an agent that stays busy has not resisted', async () => {
    const { url } = await agent(Array.from({ length: 99 }, () => [429, '3600'] as const))
    const run = await runAttack(loadedAttack(attack), { connect: { default: { url } }, limits })
    expect(run.outcome).toBe('inconclusive')
    expect(run.reasons.join()).toContain('HTTP 429')
  })
})

test('an event named by the stream alone is read, and marked', async () => {
  const { url } = await agent([])
  const run = await runAttack(loadedAttack(attacks.ag_ui ?? {}), { connect: { default: { url } }, limits })
  const { content } = run.trace.find(({ surface }) => surface === 'text_message_content') ?? {}
  expect(content).toEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'the secret' })
  expect(told(run, 'event-untyped').map(({ message }) => message)).toContain(
    'text_message_content has no type; the event name in the stream was used',
  )
})

test('one agent that refuses to connect does not stop the other clients', async () => {
  const { url } = await agent([])
  const input = attacks.ag_ui?.execution?.state ?? {}
  const actions = attacks.a2a?.execution?.state ?? {}
  const both: Partial<Attack> = {
    execution: {
      actors: [
        { name: 'shut', mode: 'ag_ui_client', phases: [{ name: 'one', state: input }] },
        { name: 'open', mode: 'a2a_client', phases: [{ name: 'one', state: actions }] },
      ],
    },
    indicators: [{ ...seen, protocol: 'a2a', surface: 'message/send' }],
  }
  const target = endpointTarget({ ag_ui: { url: 'http://127.0.0.1:9/' }, a2a: { url } })
  const run = await runAttack(loadedAttack(both), { target, limits: { ...limits, retries: 0 } })
  expect(run.actors.map(({ status }) => status)).toEqual(['failed', 'finished'])
  expect(run.outcome).toBe('exploited')
  const unreachable = endpointTarget({ ag_ui: { url: 'http://127.0.0.1:9/' }, a2a: { url: 'http://127.0.0.1:9/' } })
  const none = await runAttack(loadedAttack(both), { target: unreachable, limits })
  expect(none.reasons.join()).toContain('ag_ui endpoint not reachable')
})
