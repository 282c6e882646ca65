/** The model proxy of agents that Joust does not start: HTTP services and endpoints. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Results } from '@joust/results'
import { describe, expect, test, vi } from 'vitest'
import { freePort, listenForTest } from '../../../io/test/loopback.ts'
import { PROMPT, SERVER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'
import { provider } from './model-world.ts'

interface Asked {
  readonly model: string
  readonly mcp: string
}

const post = async (url: string, body: unknown) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`)
  return JSON.parse(text.slice(text.indexOf('{')))
}

/** An agent that lets its model call the tools of its server until it has an answer. */
async function converse({ model, mcp }: Asked): Promise<string> {
  const call = async (method: string, params: object) =>
    (await post(mcp, { jsonrpc: '2.0', id: 1, method, params })).result
  const { tools: listed } = await call('tools/list', {})
  const tools = listed.map(({ name, description, inputSchema: parameters }: Record<string, unknown>) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const messages: Record<string, unknown>[] = [{ role: 'user', content: PROMPT }]
  for (let turn = 0; turn < 6; turn += 1) {
    const { choices } = await post(`${model}/chat/completions`, { model: 'm', messages, tools })
    const [{ message }] = choices
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    for (const { id, function: asked } of message.tool_calls) {
      const result = await call('tools/call', { name: asked.name, arguments: JSON.parse(asked.arguments) })
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result.content) })
    }
  }
  return 'no answer'
}

/** Serves an agent over HTTP; its model and its server are in the request, or in its configuration. */
function agentOverHttp(configured?: Asked): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { prompt: string; mcp: Record<string, { url: string }>; model?: string }
    const asked = configured ?? {
      model: String(body.model ?? request.headers['x-model']),
      mcp: Object.values(body.mcp)[0]?.url ?? '',
    }
    const answer = await converse(asked).catch((thrown) => `failed: ${thrown}`)
    response.end(JSON.stringify({ answer }))
  })
  return listenForTest(server)
}

function agentOverAgUi(configured: Asked): Promise<string> {
  const server = createServer(async (request, response) => {
    const { threadId, runId } = (await json(request)) as { threadId: string; runId: string }
    const answer = await converse(configured).catch((thrown) => `failed: ${thrown}`)
    const events = [
      { type: 'RUN_STARTED', threadId, runId },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: answer },
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      { type: 'RUN_FINISHED', threadId, runId },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  })
  return listenForTest(server)
}

const quick = ['--no-preflight', '--prompt', PROMPT, '--grace', '0', '--report', 'json', '--out', 'out']

async function run(words: readonly string[], files: Readonly<Record<string, string>>) {
  const cwd = folder({ 'a.oatf.yaml': SERVER, ...files })
  const more = words.includes('--listen') ? quick.slice(3) : quick
  const outcome = await joust(['run', 'a.oatf.yaml', ...more, ...words], { cwd, env: { PATH: process.env.PATH } })
  const results: Results | undefined =
    outcome.code === 64 ? undefined : JSON.parse(readFileSync(`${cwd}/out/results.json`, 'utf8'))
  return { ...outcome, cwd, attack: results?.targets[0]?.attacks[0] }
}

const project = (target: object) => ({ 'joust.yaml': JSON.stringify({ targets: { desk: target } }) })

test.each([
  ['body', { body: { prompt: '{prompt}', mcp: '{mcp_servers}', model: '{model_url}' } }],
  [
    'header',
    { body: { prompt: '{prompt}', mcp: '{mcp_servers}' }, headers: { 'X-Model': '{model_url}', 'x-note': '{prompt}' } },
  ],
])('the request of an http target has the address of the model in its %s', async (_, request) => {
  const http = { url: await agentOverHttp(), answer: 'answer', ...request }
  const simulated = await run(['--trials', '3'], project({ http, with_model: 'sim/credulous' }))
  expect(simulated.attack).toMatchObject({ outcome: 'exploited' })
  expect(simulated.attack?.trials.map(({ usage }) => (usage?.calls ?? 0) > 1)).toEqual([true, true, true])
  const { url, requests } = await provider()
  const observed = await run(['--budget-calls', '10'], project({ http, model_proxy: { upstream: url }, price: '1,2' }))
  expect(observed.attack?.trials[0]).toMatchObject({ usage: { calls: 1, input_tokens: 100, output_tokens: 7 } })
  expect(requests).toHaveLength(1)
})

test('an endpoint has one model address for its life, and its runs are sequential', async () => {
  const [model, mcp] = [await freePort(), await freePort()]
  const configured = { model: `http://127.0.0.1:${model}/v1`, mcp: `http://127.0.0.1:${mcp}/mcp/1` }
  const agent = await agentOverAgUi(configured)
  const target = ['--target', `ag_ui=${agent}`, '--gateway', `127.0.0.1:${mcp}`]
  const words = [...target, '--model-listen', `127.0.0.1:${model}`]
  const credulous = await run([...words, '--with-model', 'sim/credulous', '--trials', '3'], {})
  expect(credulous.stderr).toContain(`set the base URL of the agent's model to http://127.0.0.1:${model}/v1 (OpenAI)`)
  expect(credulous.stderr).toContain('1 at a time')
  expect(credulous.attack?.trials).toMatchObject(Array(3).fill({ outcome: 'exploited', diagnostics: [] }))
  const { url } = await provider()
  const recorded = await run([...words, '--model-upstream', url, '--record', 'tape'], {})
  expect(recorded.attack?.trials[0]).toMatchObject({ answer: 'It is sunny.', usage: { calls: 1, input_tokens: 100 } })
  const replayed = await run([...words, '--replay', `${recorded.cwd}/tape`], {})
  expect(replayed.attack?.trials[0]).toMatchObject({ answer: 'It is sunny.', usage: { calls: 1 } })
})

test('the model of any client that connects has an address, too', async () => {
  const [model, actor] = [await freePort(), await freePort()]
  const configured = { model: `http://127.0.0.1:${model}/v1`, mcp: `http://127.0.0.1:${actor}/mcp` }
  const listening = ['--listen', `default=127.0.0.1:${actor}`, '--model-listen', `127.0.0.1:${model}`]
  const attend = async (...words: readonly string[]) => {
    const ended = run([...listening, '--max-duration', '4s', ...words], {})
    const answer = await vi.waitFor(() => converse(configured), { timeout: 20_000, interval: 100 })
    return { answer, ...(await ended) }
  }
  const credulous = await attend('--with-model', 'sim/credulous')
  expect(credulous.stderr).toContain(`set the base URL of the agent's model to http://127.0.0.1:${model}/v1 (OpenAI)`)
  const read = expect.arrayContaining(['attack.execution.state.tools[0].responses[0]'])
  expect(credulous.attack).toMatchObject({ outcome: 'exploited', trials: [{ exposure: { read } }] })
  const { url, requests } = await provider()
  const observed = await attend('--model-upstream', url, '--budget-calls', '5')
  expect([observed.answer, requests.length]).toEqual(['It is sunny.', 1])
  expect(observed.attack).toMatchObject({
    outcome: 'inconclusive',
    trials: [{ usage: { calls: 1, input_tokens: 100 } }],
  })
})

describe('--arms sensitivity replaces the model, which never asks for the page', () => {
  const shown = { fell: 1, of: 1 }

  test('of an HTTP service and of an endpoint', async () => {
    const { url } = await provider()
    const body = { prompt: '{prompt}', mcp: '{mcp_servers}', model: '{model_url}' }
    const http = { url: await agentOverHttp(), answer: 'answer', body }
    const files = project({ http, model_proxy: { upstream: url } })
    const service = await run(['--arms', 'sensitivity'], files)
    expect(service.attack).toMatchObject({ outcome: 'inconclusive', controls: { sensitivity: shown } })
    const [model, mcp] = [await freePort(), await freePort()]
    const agent = await agentOverAgUi({ model: `http://127.0.0.1:${model}/v1`, mcp: `http://127.0.0.1:${mcp}/mcp/1` })
    const target = ['--target', `ag_ui=${agent}`, '--gateway', `127.0.0.1:${mcp}`, '--model-upstream', url]
    const endpoint = await run([...target, '--model-listen', `127.0.0.1:${model}`, '--arms', 'sensitivity'], {})
    expect(endpoint.attack).toMatchObject({ outcome: 'inconclusive', controls: { sensitivity: shown } })
  })

  test('of a client that connects again', async () => {
    const { url } = await provider()
    const [model, actor] = [await freePort(), await freePort()]
    const listening = ['--listen', `default=127.0.0.1:${actor}`, '--model-listen', `127.0.0.1:${model}`]
    const stop = new AbortController()
    const client = async () => {
      const configured = { model: `http://127.0.0.1:${model}/v1`, mcp: `http://127.0.0.1:${actor}/mcp` }
      while (!stop.signal.aborted) {
        await converse(configured).catch(() => {})
        await setTimeout(200)
      }
    }
    const connecting = client()
    const more = ['--model-upstream', url, '--max-duration', '3s', '--arms', 'sensitivity']
    const { attack } = await run([...listening, ...more], {})
    stop.abort()
    await connecting
    expect(attack).toMatchObject({ outcome: 'inconclusive', controls: { sensitivity: shown } })
  })

  test('not that of a client without an address for its model, which the results say', async () => {
    const actor = await freePort()
    const words = ['--listen', `default=127.0.0.1:${actor}`, '--max-duration', '1s', '--arms', 'sensitivity']
    const { attack } = await run(words, {})
    expect(attack?.controls?.sensitivity).toMatchObject({ of: 0, skipped: expect.stringContaining('--model-listen') })
  })
})

test.each([
  [['--budget-tokens', '5'], 'model proxy: use --model-listen'],
  [['--with-model', 'sim/credulous'], '--with-model needs a target'],
  [['--record', 'tape'], '--record needs a target'],
  [['--model-listen', '192.0.2.1:7001'], '--model-listen expects an address on loopback, not 192.0.2.1'],
  [['--model-listen', 'x'], '--model-listen expects HOST:PORT'],
  [['--model-listen', '127.0.0.1:7001', '--no-model-proxy'], '--no-model-proxy cannot be used with --model-listen'],
])('%j at an endpoint is wrong usage', async (words, message) => {
  const { code, stderr } = await run(['--target', 'ag_ui=http://127.0.0.1:9/', ...words], {})
  expect([code, stderr]).toEqual([64, expect.stringContaining(message)])
})

test('a port in use ends the command before any run', async () => {
  const busy = new URL(await listenForTest(createServer()))
  const words = ['--target', 'ag_ui=http://127.0.0.1:9/', '--model-listen', busy.host]
  const { code, stderr } = await joust(['run', 'a.oatf.yaml', ...words, ...quick], {
    cwd: folder({ 'a.oatf.yaml': SERVER }),
  })
  expect(code).not.toBe(0)
  expect(stderr).toContain(busy.port)
})
