/** `joust run --gateway`: an agent that is configured once with the addresses of its servers. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { freePort, listenForTest } from '../../../io/test/loopback.ts'
import { SERVER, USER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

/** An agent that uses the server in its configuration, and does what it is told there. */
async function agentWith(mcp: string, header?: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const passed = header === undefined ? {} : { [header]: String(request.headers[header]) }
    let session = {}
    const call = async (method: string, params: object) => {
      const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = await fetch(mcp, { method: 'POST', headers: { ...type, ...passed, ...session }, body })
      const id = answer.headers.get('mcp-session-id')
      if (id !== null) session = { 'mcp-session-id': id }
      return answer.text()
    }
    await json(request)
    await call('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    })
    await call('tools/list', {})
    await call('tools/call', { name: 'get_weather', arguments: { town: 'Oslo' } })
    await call('tools/call', { name: 'send_letter', arguments: { to: 'post@stranger.example', text: 'notes' } })
    response.end('The weather is fine.')
  })
  return `${await listenForTest(server)}/chat`
}

const attacks = { 'a/1.oatf.yaml': SERVER, 'a/2.oatf.yaml': SERVER.replace('TEST-001', 'TEST-011') }
const quick = ['--report', 'json', '--grace', '0', '--no-control', '--json']

test.each([
  ['one after the other', undefined, '1 at a time'],
  ['side by side, where the agent passes a header on', 'x-thread', '4 at a time'],
])('attacks go through one address, %s', async (_, header, said) => {
  const port = await freePort()
  const url = await agentWith(`http://127.0.0.1:${port}/mcp/1`, header)
  const gateway = `gateway: 127.0.0.1:${port}${header === undefined ? '' : `, gateway_header: ${header}`}`
  const cwd = folder({ ...attacks, 'joust.yaml': `targets: { desk: { http: { url: "${url}" }, ${gateway} } }\n` })
  const { code, stdout, stderr } = await joust(['run', 'a', '--trials', '2', ...quick], { cwd })
  expect(stderr).toContain(said)
  expect(stderr).toContain(`{"mcpServers":{"server-1":{"type":"http","url":"http://127.0.0.1:${port}/mcp/1"}}}`)
  const [target] = JSON.parse(stdout).targets
  expect(target).toMatchObject({ kind: 'http', name: 'desk' })
  const trials = target.attacks.flatMap((attack: { trials: object[] }) => attack.trials)
  expect(trials).toMatchObject(Array(4).fill({ outcome: 'exploited', answer: 'The weather is fine.', diagnostics: [] }))
  expect(code).toBe(3)
})

test('a dry run shows the slots', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER, 'user.oatf.yaml': USER })
  const argv = ['run', '.', '--target', 'ag_ui=http://127.0.0.1:9/', '--gateway', '127.0.0.1:7000', '--dry-run']
  const { code, stdout } = await joust(argv, { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('default (mcp_server) at http://127.0.0.1:7000/mcp/1')
  expect(stdout).toContain('{"mcpServers":{"server-1":{"httpUrl":"http://127.0.0.1:7000/mcp/1"}}}')
  expect(stdout).not.toContain('not applicable')
})

test.each([
  ['--gateway', (port: string) => ['--target', 'ag_ui=http://127.0.0.1:9/', '--gateway', port]],
  ['--listen', (port: string) => ['--listen', `default=127.0.0.1:${port}`]],
])('an address of %s that is taken is one error, before anything is run', async (_, words) => {
  const server = createServer()
  const { port } = new URL(await listenForTest(server))
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const { code, stderr } = await joust(['run', 'a.oatf.yaml', ...words(port), '--quiet'], { cwd })
  expect([code, stderr]).toEqual([10, expect.stringContaining(`cannot listen on 127.0.0.1:${port}`)])
})
