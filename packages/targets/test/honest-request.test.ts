/** A server under attack has resisted only if it answers an honest request afterwards. */
import { createServer } from 'node:http'
import { runAttack } from '@joust/arena'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { listenForTest } from '../../io/test/loopback.ts'
import { endpointTarget } from '../src/endpoint.ts'

const actions = [{ method: 'tools/call', params: { name: 'read', arguments: { path: '/etc/passwd' } } }]
const execution = { mode: 'mcp_client', state: { actions } }
const indicators = [{ surface: 'tools/call', direction: 'response', target: 'content', pattern: { contains: 'root:' } }]
const bait = ['attack.execution.state.actions[0].params']
const loaded = load(
  JSON.stringify({ oatf: '0.1', attack: { name: 'Path', execution, indicators, 'x-joust-bait': bait } }),
)

const result = { content: [{ type: 'text', text: 'outside of the folder' }], isError: true }
const hello = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }
const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

type Answer = (method: string, params: { arguments?: { path?: string } }) => object

const error = (text: string) => ({ content: [{ type: 'text', text }], isError: true })
const working: Answer = (method, params) => {
  if (method === 'initialize') return hello
  if (method === 'tools/list') return { tools: [{ name: 'read', inputSchema }] }
  return params.arguments?.path?.startsWith('/') === true ? result : error('no such file')
}

/** Attacks a server; after the call it has a status. */
async function attackedServer(answer: Answer, statusAfter = 200) {
  let isCalled = false
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(body)
    if (isCalled && statusAfter !== 200) return void response.writeHead(statusAfter).end()
    isCalled ||= method === 'tools/call'
    if (id === undefined) return void response.writeHead(202).end()
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) })
    response.setHeader('content-type', 'application/json').end(text)
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const target = endpointTarget({ mcp: { url: await listenForTest(server) } })
  const known = { proven: 'library' } as const
  const { outcome, controls } = await runAttack(loaded.value, { target, known, limits: { graceMs: 0, replyMs: 2000 } })
  return { outcome, alive: controls?.alive_by }
}

const alive = { outcome: 'resisted', alive: 'postflight' }
const dead = { outcome: 'inconclusive', alive: undefined }

test('a server that still works', async () => {
  expect(await attackedServer(working)).toEqual(alive)
})

test.each([400, 502])('a server that answers everything with status %i afterwards', async (status) => {
  expect(await attackedServer(working, status)).toEqual(dead)
})

test('a server that answers every call with the same error', async () => {
  let calls = 0
  const broken: Answer = (method, params) =>
    method === 'tools/call' ? error(`database is down (request ${++calls})`) : working(method, params)
  expect(await attackedServer(broken)).toEqual(dead)
})

test('a server that lists nothing but answers a ping', async () => {
  const silent: Answer = (method, params) => (method === 'tools/list' ? { tools: [] } : working(method, params))
  // The call itself is the bait, so a server without the tool has resisted it.
  expect(await attackedServer(silent)).toEqual(alive)
})
