import { expect, test, vi } from 'vitest'
import { run } from '../../../src/main.ts'
import { agentText, greeter, teamText } from '../../agents.ts'
import { folder, joust, memoryIo } from '../../world.ts'

const stopped = { interruption: AbortSignal.abort(new Error('stop')) }

test('prints the address and stops on a signal', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { code, stdout, stderr } = await joust(['agent', 'serve', 'a.agf.yaml', '--a2a'], { cwd, ...stopped })
  expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/)
})

test('warns when other machines can reach it', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { stderr } = await joust(['agent', 'serve', 'a.agf.yaml', '--a2a', '--host', '0.0.0.0'], { cwd, ...stopped })
  expect(stderr).toBe('joust: any client that can connect to 0.0.0.0 can run this agent\n')
})

test.each([
  [[], 'missing protocol: --ag-ui, --a2a or --mcp'],
  [['--mcp', '--a2a', '--stdio'], '--stdio cannot be used with --a2a'],
  [['--a2a', '--approval-timeout', '1s'], '--approval-timeout needs --approve client'],
  [['--a2a', '--stdio'], '--stdio can only be used with --mcp'],
  [['--mcp', '--stdio', '--port', '1'], '--stdio cannot be used with --port'],
  [['--mcp', '--port', '65536'], '--port expects a number from 0 to 65535, not "65536"'],
  [['--mcp', '--port', '1e3'], '--port expects a number'],
  [['--mpc'], 'Did you mean --mcp?'],
])('%j is wrong usage', async (argv, message) => {
  const { code, stdout, stderr } = await joust(['agent', 'serve', 'a.agf.yaml', ...argv], { cwd: folder() })
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain(message)
})

test('an agent on standard input leaves no stream for --stdio', async () => {
  expect((await joust(['agent', 'serve', '-', '--mcp', '--stdio'], { stdin: agentText() })).code).toBe(64)
})

test('an agent with errors is not served', async () => {
  const cwd = folder({ 'a.agf.yaml': teamText('none.yaml') })
  const { code, stdout, stderr } = await joust(['agent', 'serve', 'a.agf.yaml', '--a2a'], { cwd })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error unresolvable_source')
})

test('an agent that could never run is not served', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText({ actions: '{ local_tools: [{ alias: greet }] }' }) })
  const { code, stdout, stderr } = await joust(['agent', 'serve', 'a.agf.yaml', '--a2a'], { cwd })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('error unbound_tool  helper: local tool greet is not bound')
  expect(stderr).toContain('joust: bind local tools in joust.yaml')
})

test('an agent is served before its server is available, with a warning', async () => {
  const cwd = folder({
    'a.agf.yaml': agentText({ actions: '{ mcp_servers: [{ alias: files }] }' }),
    'joust.yaml': 'bindings: { mcp_servers: { files: { command: /no/such/command } } }\n',
  })
  const stop = new AbortController()
  const { io, stdout, stderr } = memoryIo({ cwd, interruption: stop.signal })
  const ended = run(['agent', 'serve', 'a.agf.yaml', '--ag-ui'], io)
  const told = () => stderr.join('').includes('each run retries')
  await vi.waitUntil(told, { timeout: 10_000 })
  const [url = ''] = stdout
  const body = { threadId: 't', runId: 'r', messages: [{ id: 'u', role: 'user', content: 'Hi.' }] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url.trim(), { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  stop.abort(new Error('stop'))
  expect(await ended).toBe(130)
  expect(stderr.join('')).toContain('joust: helper: MCP server files is unreachable: ')
  expect(text).toMatch(/"type":"RUN_ERROR".*MCP server files is unreachable/)
})

test('each of several protocols has its own path, in one server', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { stdout } = await joust(['agent', 'serve', 'a.agf.yaml', '--a2a', '--mcp', '--ag-ui'], { cwd, ...stopped })
  expect(stdout).toMatch(
    /^ag-ui http:\/\/127\.0\.0\.1:(\d+)\/ag-ui\/\na2a http:\/\/127\.0\.0\.1:\1\/a2a\/\nmcp http:\/\/127\.0\.0\.1:\1\/mcp\/\n$/,
  )
})

test('--approve client asks over the protocol, and nothing runs without an answer', async () => {
  const stop = new AbortController()
  const { io, stdout } = memoryIo({ cwd: folder(greeter), interruption: stop.signal })
  const serving = run(
    ['agent', 'serve', 'a.agf.yaml', '--ag-ui', '--approve', 'client', '--approval-timeout', '1m'],
    io,
  )
  await vi.waitFor(() => expect(stdout.join('')).toContain('http://'), { timeout: 20_000 })
  const ask = async (resume: readonly unknown[]) => {
    const messages = [{ id: 'm', role: 'user', content: 'Greet the person "Ann".' }]
    const response = await fetch(stdout.join('').trim(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ threadId: 't', runId: 'r', messages, tools: [], context: [], state: {}, resume }),
    })
    return response.text()
  }
  const first = await ask([])
  expect(first).toContain('"type":"interrupt"')
  expect(first).not.toContain('hello Ann')
  const interruptId = /"interrupts":\[\{"id":"([^"]+)"/.exec(first)?.[1]
  expect(await ask([{ interruptId, status: 'resolved', payload: { approved: true } }])).toContain('hello Ann')
  stop.abort(new Error('stop'))
  expect(await serving).toBe(130)
})
