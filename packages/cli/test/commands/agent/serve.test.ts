import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
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
  [['--a2a', '--approve', 'all', '--approval-timeout', '1s'], '--approval-timeout needs --approve ask or client'],
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

test('a provider that breaks off in the middle of a stream fails that run, and the next one is served', async () => {
  let isBroken = true
  const provider = createServer((request, response) => {
    request.resume()
    const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const write = (delta: object, finish_reason: string | null, then?: () => void) =>
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`, then)
    response.setHeader('content-type', 'text/event-stream')
    if (isBroken) return void write({ role: 'assistant', content: 'The code is 4' }, null, () => response.destroy())
    write({ role: 'assistant', content: 'The code is 42' }, null)
    write({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void provider.close())
  // A server on a port has this kind of address.
  const { port } = provider.address() as AddressInfo
  const config = `bindings: { models: { sim/cautious: { base_url: "http://127.0.0.1:${port}/", model: m } } }\n`
  const stop = new AbortController()
  const cwd = folder({ 'a.agf.yaml': agentText(), 'joust.yaml': config })
  const { io, stdout } = memoryIo({ cwd, interruption: stop.signal })
  const serving = run(['agent', 'serve', 'a.agf.yaml', '--ag-ui'], io)
  await vi.waitFor(() => expect(stdout.join('')).toContain('http://'), { timeout: 20_000 })
  const ask = async () => {
    const messages = [{ id: 'm', role: 'user', content: 'What is the code?' }]
    const body = { threadId: 't', runId: 'r', messages, tools: [], context: [], state: {} }
    const headers = { 'content-type': 'application/json' }
    return (await fetch(stdout.join('').trim(), { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }
  const failed = await ask()
  expect(failed).toMatch(/"type":"RUN_ERROR".*was lost before the answer was complete/)
  expect(failed).not.toContain('RUN_FINISHED')
  isBroken = false
  const answered = await ask()
  expect(answered).toContain('"type":"RUN_FINISHED"')
  expect(answered).toContain('The code is 42')
  stop.abort(new Error('stop'))
  expect(await serving).toBe(130)
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
