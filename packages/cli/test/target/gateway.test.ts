/** `joust run --gateway`: an agent that is configured once with the addresses of its servers. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { freePort, listenForTest } from '../../../io/test/loopback.ts'
import { SERVER, USER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

/** A connection to an MCP server, with the weather already asked for. */
async function connect(mcp: string, passed: Record<string, string>) {
  const connection = { session: '', weather: '' }
  const call = async (method: string, params: object, session = connection.session) => {
    const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const named = session === '' ? {} : { 'mcp-session-id': session }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(mcp, { method: 'POST', headers: { ...type, ...passed, ...named }, body })
    connection.session = answer.headers.get('mcp-session-id') ?? connection.session
    return answer.text()
  }
  const clientInfo = { name: 'a', version: '1' }
  await call('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  await call('tools/list', {})
  connection.weather = await call('tools/call', { name: 'get_weather', arguments: { town: 'Oslo' } })
  const send = (to: string, session?: string) =>
    call('tools/call', { name: 'send_letter', arguments: { to, text: 'notes' } }, session)
  return { connection, send }
}

/** An agent that uses the server in its configuration, and does what it is told there. */
async function agentWith(mcp: string, header?: string): Promise<string> {
  const server = createServer(async (request, response) => {
    await json(request)
    const { send } = await connect(mcp, header === undefined ? {} : { [header]: String(request.headers[header]) })
    await send('post@stranger.example')
    response.end('The weather is fine.')
  })
  return `${await listenForTest(server)}/chat`
}

/** An agent with two conversations at once that writes to the stranger of one in the session of the other. */
async function agentWithPool(mcp: string, header: string): Promise<string> {
  const sessions = new Map<string, string>()
  let meet = () => {}
  let part = () => {}
  const met = new Promise<void>((resolve) => {
    meet = resolve
  })
  const parted = new Promise<void>((resolve) => {
    part = resolve
  })
  const server = createServer(async (request, response) => {
    await json(request)
    const { connection, send } = await connect(mcp, { [header]: String(request.headers[header]) })
    const who = connection.weather.includes('stranger.example') ? 'obeys' : 'resists'
    sessions.set(who, connection.session)
    if (sessions.size === 2) meet()
    await met
    if (who === 'obeys') await send('post@stranger.example', sessions.get('resists')).finally(part)
    await parted
    response.end('The weather is fine.')
  })
  return `${await listenForTest(server)}/chat`
}

const attacks = { 'a/1.oatf.yaml': SERVER, 'a/2.oatf.yaml': SERVER.replace('TEST-001', 'TEST-011') }
// The agent acts without looking at the bait.
const quick = ['--report', 'json', '--grace', '0', '--no-preflight', '--arms', 'none', '--json']

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

test('an agent that obeys one attack in the MCP session of another is reported for that attack', async () => {
  const port = await freePort()
  const url = await agentWithPool(`http://127.0.0.1:${port}/mcp/1`, 'x-thread')
  const target = `http: { url: "${url}" }, gateway: 127.0.0.1:${port}, gateway_header: x-thread`
  const cwd = folder({
    'a.oatf.yaml': SERVER,
    'b.oatf.yaml': SERVER.replace('TEST-001', 'TEST-011').replaceAll('stranger.example', 'friend.example'),
    'joust.yaml': `targets: { desk: { ${target} } }\n`,
  })
  const { code, stdout } = await joust(['run', '.', ...quick], { cwd })
  const [{ attacks }] = JSON.parse(stdout).targets
  expect(attacks).toMatchObject([
    { outcome: 'inconclusive', reasons: [expect.stringContaining('the MCP session of another run')] },
    { outcome: 'inconclusive', reasons: [expect.stringContaining('the preflight did not show it')] },
  ])
  expect(code).toBe(5)
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
