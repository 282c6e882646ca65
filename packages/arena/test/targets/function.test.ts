/** A function before client actors and server actors. */
import { describe, expect, test } from 'vitest'
import { runAttack } from '../../src/run.ts'
import { type AgentFunction, type FunctionTurn, functionTarget } from '../../src/targets/function.ts'
import { loadedAttack } from '../support/attacks.ts'

const limits = { graceMs: 0 }

const asked = (...contents: readonly string[]) =>
  loadedAttack({
    execution: {
      mode: 'ag_ui_client',
      phases: contents.map((content, index) => ({
        name: `p${index}`,
        state: { run_agent_input: { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content }] } },
        ...(index < contents.length - 1 ? { trigger: { event: 'run_finished' } } : {}),
      })),
    },
    indicators: [
      {
        id: 'T-1-01',
        surface: 'text_message_content',
        direction: 'response',
        target: 'delta',
        pattern: { contains: 'mellon' },
      },
    ],
    // Tests write plain data.
  } as never)

const served = loadedAttack({
  execution: { mode: 'mcp_server', state: { tools: [{ name: 'echo', responses: [{ content: {} }] }] } },
  indicators: [{ id: 'T-1-01', surface: 'tools/call', target: 'name', pattern: { contains: 'echo' } }],
} as never)

function heardBy(call: AgentFunction) {
  const heard: FunctionTurn[] = []
  const target = functionTarget({
    name: 'mine',
    timeoutMs: 2000,
    call: (turn) => {
      heard.push(turn)
      return call(turn)
    },
  })
  return { target, heard }
}

describe('a function', () => {
  test('answers what a client actor says, turn after turn', async () => {
    const { target, heard } = heardBy(({ prompt }) => (prompt === 'two' ? 'mellon' : 'no'))
    const run = await runAttack(asked('one', 'two'), { limits, target })
    expect([run.outcome, run.output]).toEqual(['exploited', 'mellon'])
    expect(heard.map(({ prompt, number }) => [prompt, number])).toEqual([
      ['one', 1],
      ['two', 2],
    ])
    expect(new Set(heard.map(({ conversation }) => conversation)).size).toBe(1)
  })

  test('is given the servers that it is to use', async () => {
    const { target, heard } = heardBy(async ({ mcpServers }) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } }
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      for (const { url } of Object.values(mcpServers)) {
        const init = { ...body, method: 'initialize', params: initialize }
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(init) })
        const session = answer.headers.get('mcp-session-id') ?? ''
        await answer.text()
        const more = { ...headers, 'mcp-session-id': session }
        await (await fetch(url, { method: 'POST', headers: more, body: JSON.stringify(body) })).text()
      }
      return 'done'
    })
    const run = await runAttack(served, { limits, target })
    expect(run.outcome).toBe('exploited')
    expect(Object.keys(heard[0]?.mcpServers ?? {})).toEqual(['default'])
  })

  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mine', version: '1' } }

  test.each<[string, AgentFunction, RegExp]>([
    ['throws', () => Promise.reject(new Error('no key')), /mine failed: no key/],
    // As JavaScript may do.
    ['answers with something else', () => ({ text: 'x' }) as never, /has to answer with a text.*object/],
    ['never answers', () => new Promise(() => {}), /did not answer within 0.05 s/],
  ])('that %s has not resisted', async (_, call, reason) => {
    const target = functionTarget({ name: 'mine', call, timeoutMs: 50 })
    const run = await runAttack(asked('one'), { limits, target })
    expect(run.outcome).toBe('inconclusive')
    expect(run.diagnostics.map(({ message }) => message).join('\n')).toMatch(reason)
  })

  test('cannot have tools of the client', async () => {
    const tools = [{ name: 't', description: 'd', parameters: {} }]
    const messages = [{ id: 'm', role: 'user', content: 'x' }]
    const attack = loadedAttack({
      execution: {
        mode: 'ag_ui_client',
        state: { run_agent_input: { threadId: 't', runId: 'r', messages, tools } },
      },
      indicators: [{ surface: 'text_message_content', target: 'delta', pattern: { contains: 'x' } }],
    } as never)
    expect(await runAttack(attack, { limits, target: heardBy(() => 'x').target })).toMatchObject({
      outcome: 'not_applicable',
    })
  })
})
