/** The built command in processes of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { agentText, GREET, greeter, teamText } from '../../agents.ts'
import { binary, spawnJoust } from '../../spawned.ts'
import { folder } from '../../world.ts'

const mcpServer = fileURLToPath(new URL('../../../../runtime/test/fixtures/mcp-server.mjs', import.meta.url))

/** Acts once a stream has printed something. */
function when(stream: 'stdout' | 'stderr', pattern: RegExp, act: (found: string, child: ChildProcess) => void) {
  return (child: ChildProcess) => {
    let text = ''
    let done = false
    child[stream]?.on('data', (chunk) => {
      text += chunk
      const found = pattern.exec(text)
      if (found === null || done) return
      done = true
      act(found[0], child)
    })
  }
}

// Node reads this option, too, and ends first.
test('nothing runs without the file of --env-file', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { code, stdout, stderr } = await spawnJoust(
    ['agent', 'run', 'a.agf.yaml', '-i', 'tea', '--env-file', 'none.env'],
    cwd,
  )
  expect(code).not.toBe(0)
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('none.env')])
})

test('check, graph and run, with their exit codes', async () => {
  const cwd = folder({ 'a.agf.yaml': teamText('b.agf.yaml'), 'b.agf.yaml': agentText(), 'c.agf.yaml': 'a: [' })
  expect(await spawnJoust(['agent', 'check', 'a.agf.yaml'], cwd)).toMatchObject({ code: 0, stdout: '' })
  expect((await spawnJoust(['agent', 'check', 'c.agf.yaml'], cwd)).code).toBe(1)
  expect((await spawnJoust(['agent', 'check', 'd.agf.yaml'], cwd)).code).toBe(64)
  expect((await spawnJoust(['agent', 'graph', 'a.agf.yaml'], cwd)).stdout).toContain('└─ step 1: step_0')
  const ran = await spawnJoust(['agent', 'run', 'a.agf.yaml', '-i', '-'], cwd, '"tea"')
  expect({ code: ran.code, output: JSON.parse(ran.stdout) }).toEqual({
    code: 0,
    output: '[simulated cautious answer]\nRegarding: tea',
  })
  expect((await spawnJoust(['agent', 'run', 'a.agf.yaml', '-i', '[5]'], cwd)).code).toBe(1)
})

test('open handles of a tool do not delay the exit', async () => {
  const tools = `${greeter['tools.mjs']}setInterval(() => undefined, 1000)\n`
  const cwd = folder({ ...greeter, 'tools.mjs': tools })
  const { code, stdout } = await spawnJoust(['agent', 'run', 'a.agf.yaml', '-i', GREET, '--approve', 'all'], cwd)
  expect({ code, stdout }).toEqual({ code: 0, stdout: '"[simulated cautious answer]\\nhello Ann"\n' })
})

/** Runs the command in a terminal of its own, and answers when it asks. */
function atTerminal(command: string, cwd: string, answer: string): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: '1' }
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd, env })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, text: text.replaceAll('\r\n', '\n') }))
    when('stdout', /\[y\/N\] /, () => child.stdin.write(answer))(child)
  })
}

describe.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))('at a terminal', () => {
  const command = `"${process.execPath}" "${binary}" agent run a.agf.yaml -i @in.json`

  test.each([
    ['y\n', 0, 'hello Ann'],
    ['n\n', 0, 'greet was denied (denied by the user)'],
    ['\u0004', 0, 'greet was denied (denied by the user)'],
    ['\u0003', 130, 'error cancelled'],
  ])('the answer %j', async (answer, expected, shown) => {
    const { code, text } = await atTerminal(command, folder({ ...greeter, 'in.json': GREET }), answer)
    expect(text).toContain('helper requests approval: tool greet\n')
    expect(text).toContain('  |   "person": "Ann"\n')
    expect(text).toContain(shown)
    expect(code).toBe(expected)
  })
})

describe.skipIf(process.platform === 'win32')('signals', () => {
  const files = {
    'a.agf.yaml': agentText({
      actions: '{ local_tools: [{ alias: wait }], mcp_servers: [{ alias: peer, server_ref: peer }] }',
    }),
    'joust.yaml': `bindings:
  tools: { wait: { module: ./tools.mjs } }
  mcp_servers: { peer: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(mcpServer)}] } }
`,
    'tools.mjs': 'export const wait = () => new Promise(() => undefined)\n',
    'script.yaml': '- tool_calls: [{ name: pid }]\n- tool_calls: [{ name: wait }]\n',
  }
  const argv = [
    'agent',
    'run',
    'a.agf.yaml',
    '-i',
    '"x"',
    '-m',
    'sim/scripted',
    '--script',
    'script.yaml',
    '--events',
    'e',
  ]

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s cancels the run, closes its servers and ends with %i', async (signal, expected) => {
    const cwd = folder(files)
    const stop = when('stderr', /calls wait/, (_, child) => child.kill(signal))
    const { code, stdout, stderr } = await spawnJoust(argv, cwd, '', stop)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    expect(stderr).toContain('error cancelled')
    const events = readFileSync(join(cwd, 'e'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.at(-1).type).toBe('run-failed')
    const pid = Number(events.find(({ type, name }) => type === 'tool-answered' && name === 'pid')?.content)
    expect(pid).toBeGreaterThan(0)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describe('serve', () => {
  const cwd = () => folder({ 'a.agf.yaml': agentText() })

  /** Serves until the visitor has left. */
  async function visit(
    protocol: string,
    visitor: (url: string) => Promise<unknown>,
    signal: NodeJS.Signals = 'SIGINT',
  ) {
    let seen: Promise<unknown> = Promise.resolve()
    const meddle = when('stdout', /http\S+/, (url, child) => {
      seen = visitor(url)
      seen.finally(() => child.kill(signal)).catch(() => undefined)
    })
    const served = await spawnJoust(['agent', 'serve', 'a.agf.yaml', protocol], cwd(), '', meddle)
    return { ...served, seen: await seen }
  }

  const post = (url: string, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    }).then((response) => response.text())

  test('--ag-ui', async () => {
    const message = { id: '1', role: 'user', content: 'tea' }
    const input = {
      threadId: 't',
      runId: 'r',
      state: {},
      messages: [message],
      tools: [],
      context: [],
      forwardedProps: {},
    }
    const { code, stdout, stderr, seen } = await visit('--ag-ui', (url) => post(url, input))
    expect(code).toBe(130)
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/)
    expect(seen).toContain('RUN_STARTED')
    expect(seen).toContain('RUN_FINISHED')
    expect(stderr).toMatch(/^run-\w+ helper {2}started \(agf\.react\)$/m)
  })

  test('--a2a', async () => {
    const card = (url: string) => fetch(`${url}.well-known/agent-card.json`).then((response) => response.json())
    const { code, seen } = await visit('--a2a', card, 'SIGTERM')
    expect(code).toBe(143)
    expect(seen).toMatchObject({ name: 'helper', description: 'Helps.' })
  })

  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  }

  test('--mcp', async () => {
    const { code, seen } = await visit('--mcp', (url) => post(url, initialize))
    expect(code).toBe(130)
    expect(seen).toContain('"serverInfo"')
  })

  test('--mcp --stdio: standard output is the protocol, the end of standard input is the end', async () => {
    const argv = ['agent', 'serve', 'a.agf.yaml', '--mcp', '--stdio']
    const { code, stdout } = await spawnJoust(argv, cwd(), undefined, (child) => {
      when('stdout', /serverInfo/, () => child.stdin?.end())(child)
      child.stdin?.write(`${JSON.stringify(initialize)}\n`)
    })
    expect(code).toBe(0)
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({ id: 1, result: expect.objectContaining({ protocolVersion: '2025-11-25' }) }),
    ])
  })

  test('--mcp --stdio: the official client calls the agent as a tool', async () => {
    const client = new Client({ name: 'judge', version: '1.0.0' })
    const args = [binary, 'agent', 'serve', 'a.agf.yaml', '--mcp', '--stdio']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: cwd(), stderr: 'ignore' }))
    try {
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(1)
      const answer = await client.callTool({ name: tools[0]?.name ?? '', arguments: { input: 'tea' } })
      expect(answer.isError ?? false).toBe(false)
      expect(JSON.stringify(answer.content)).toContain('Regarding: tea')
    } finally {
      await client.close()
    }
  })

  test('a port that is taken', async () => {
    const { seen } = await visit('--mcp', async (url) => {
      const { port } = new URL(url)
      return spawnJoust(['agent', 'serve', 'a.agf.yaml', '--a2a', '--port', port], cwd())
    })
    expect(seen).toMatchObject({
      code: 10,
      stdout: '',
      stderr: expect.stringContaining('joust: cannot listen on 127.0.0.1:'),
    })
  })
})
