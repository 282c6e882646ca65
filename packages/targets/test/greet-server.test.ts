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

/** Attacks a server that answers with this status after the call. */
async function attackedServer(statusAfter: number) {
  let isCalled = false
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = JSON.parse(body)
    if (isCalled && statusAfter !== 200) return void response.writeHead(statusAfter).end()
    isCalled ||= method === 'tools/call'
    if (id === undefined) return void response.writeHead(202).end()
    const answer = { jsonrpc: '2.0', id, result: method === 'initialize' ? hello : result }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const target = endpointTarget({ mcp: { url: await listenForTest(server) } })
  const { outcome, controls } = await runAttack(loaded.value, {
    target,
    known: { proven: 'library' },
    limits: { graceMs: 0 },
  })
  return { outcome, alive: controls?.alive_by }
}

test.each([
  ['still works', 200, { outcome: 'resisted', alive: 'postflight' }],
  ['rejects another client', 400, { outcome: 'resisted', alive: 'postflight' }],
  ['is down', 502, { outcome: 'inconclusive', alive: undefined }],
])('a server that %s', async (_, status, expected) => {
  expect(await attackedServer(status)).toEqual(expected)
})
