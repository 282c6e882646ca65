/** Tests that `joust record` does not change what third-party clients, servers and agents see. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environmentAt, isInstalled } from './agents.ts'
import { peers } from './documents.ts'
import { freePorts } from './joust.ts'

const binary = fileURLToPath(new URL('../../packages/cli/bin/joust.js', import.meta.url))
const published = (name: string) => join(peers, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'joust-recorder-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Starts a program until the end of the test. Returns its first line of output. */
async function start(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
  line = /./,
): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill('SIGTERM'))
  const { promise, resolve } = deferred()
  // Both streams are pipes.
  for (const stream of [child.stdout, child.stderr] as NodeJS.ReadableStream[])
    createInterface({ input: stream }).on('line', (text) => line.test(text) && resolve(text))
  return promise
}

function deferred() {
  let resolve = (_: string) => {}
  const promise = new Promise<string>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

interface McpConfig {
  readonly mcpServers: Record<string, { url: string; command: string; args: string[] }>
}

/** Records the servers of a configuration. Returns the rewritten configuration and the folder. */
async function record(config: object) {
  const cwd = folder()
  writeFileSync(join(cwd, 'mcp.json'), JSON.stringify(config))
  const copy = await start(
    [binary, 'record', '--mcp-config', 'mcp.json', '--out', 'session'],
    cwd,
    {},
    /^\/.*mcp\.json$/,
  )
  const rewritten: McpConfig = JSON.parse(readFileSync(copy, 'utf8'))
  const trace = () => readFileSync(join(cwd, 'session/trace.jsonl'), 'utf8')
  return { main: rewritten.mcpServers.main, trace }
}

/** Starts the server with every feature over HTTP. */
async function everything(): Promise<string> {
  const [port = 0] = await freePorts(1)
  await start([published('everything'), 'streamableHttp'], peers, { PORT: String(port) }, /listening|running/i)
  return `http://127.0.0.1:${port}/mcp`
}

describe('the official conformance suite gives the same result', () => {
  interface Check {
    readonly id: string
    readonly status: string
  }

  async function judge(suite: string, url: string): Promise<string[]> {
    const out = folder()
    const program = `node_modules/@modelcontextprotocol/${suite}/dist/index.js`
    const args = ['--import', './conformance-node20.mjs', program, 'server', '--url', url, '--output-dir', out]
    const child = spawn(process.execPath, args, { cwd: peers, stdio: 'ignore' })
    await new Promise((resolve) => child.on('close', resolve))
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('checks.json'))
    return files
      .flatMap((file) => {
        const checks: Check[] = JSON.parse(readFileSync(join(out, file), 'utf8'))
        // Folder names end with the time.
        const scenario = file.replace(/-\d{4}-\d\d-.*/, '')
        return checks.map(({ id, status }) => `${scenario} ${id} ${status}`)
      })
      .sort()
  }

  test.each(['conformance', 'conformance-next'])('%s', { timeout: 180_000 }, async (suite) => {
    const url = await everything()
    const { main } = await record({ mcpServers: { main: { type: 'http', url } } })
    const direct = await judge(suite, url)
    expect(direct.length).toBeGreaterThan(30)
    expect(await judge(suite, main?.url ?? '')).toEqual(direct)
  })
})

describe('the official SDK sees the same', () => {
  type Connected = Pick<
    ClientV1,
    'listTools' | 'callTool' | 'listResources' | 'listPrompts' | 'getInstructions' | 'close'
  >

  async function converse(client: Connected) {
    const call = (name: string, args: Record<string, unknown> = {}) =>
      client.callTool({ name, arguments: args }).catch(({ message }: Error) => message)
    const seen = [
      client.getInstructions(),
      await client.listTools(),
      await client.listPrompts(),
      (await client.listResources()).resources.map(({ uri }) => uri),
      await call('echo', { message: 'x'.repeat(100_000) }),
      await call('get-sum', { a: 1, b: 2 }),
      await call('get-sum', { a: 'no number' }),
      await call('no-such-tool'),
      await call('trigger-long-running-operation', { duration: 0.2, steps: 2 }),
    ]
    await client.close()
    return seen
  }

  const about = { name: 'peer', version: '1' }
  const v1 = async (transport: HttpV1 | StdioV1) => {
    const client = new ClientV1(about)
    // Its optional fields exclude undefined, unlike those of its own transports.
    await client.connect(transport as Parameters<ClientV1['connect']>[0])
    return converse(client)
  }
  const v2 = async (transport: HttpV2 | StdioV2) => {
    const client = new ClientV2(about)
    await client.connect(transport)
    // The answers are compared unchanged. The types of both versions differ in details.
    return converse(client as unknown as Connected)
  }

  test('v1 and v2 over HTTP', { timeout: 60_000 }, async () => {
    const url = await everything()
    const { main, trace } = await record({ mcpServers: { main: { type: 'http', url } } })
    const place = new URL(main?.url ?? '')
    expect(await v1(new HttpV1(place))).toEqual(await v1(new HttpV1(new URL(url))))
    expect(await v2(new HttpV2(place))).toEqual(await v2(new HttpV2(new URL(url))))
    expect(trace()).not.toContain('"malformed"')
  })

  test('v1 and v2 over stdio', { timeout: 60_000 }, async () => {
    const words = { command: process.execPath, args: [published('everything')] }
    const { main = words, trace } = await record({ mcpServers: { main: words } })
    expect(main.args).not.toEqual(words.args)
    expect(await v1(new StdioV1(main))).toEqual(await v1(new StdioV1(words)))
    expect(await v2(new StdioV2(main))).toEqual(await v2(new StdioV2(words)))
    expect(trace()).not.toContain('"malformed"')
  })
})

const python = join(peers, '.venv/bin/python')
const hasTime = existsSync(python) && existsSync(join(peers, '.venv/bin/mcp-server-time'))
if (!hasTime) process.stderr.write('SKIPPED: mcp-server-time is not installed and was not recorded\n')

/** Codex reads its servers from a file in its home folder, which is rewritten while it runs. */
test.skipIf(!isInstalled('codex'))('Codex with public servers from npm and PyPI', { timeout: 120_000 }, async () => {
  const cwd = folder()
  const origin = await start(
    [binary, 'model', 'serve', '--model', 'sim/credulous', '--tool', '*echo'],
    cwd,
    {},
    /^http:/,
  )
  mkdirSync(join(cwd, '.codex'))
  const server = (name: string, command: string, args: readonly string[]) =>
    `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\ndefault_tools_approval_mode = "approve"\nrequired = true\n`
  const config = [
    'model = "gpt-5-codex"\nmodel_provider = "by_key"\ncheck_for_update_on_startup = false\n',
    '[analytics]\nenabled = false\n[features]\nplugins = false\napps = false\n',
    `[model_providers.by_key]\nname = "by_key"\nbase_url = "${origin}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`,
    server('everything', 'node', [published('everything')]),
    server('files', 'node', [published('filesystem'), cwd]),
    server('memory', 'node', [published('memory')]),
    ...(hasTime ? [server('time', python, ['-m', 'mcp_server_time', '--local-timezone', 'UTC'])] : []),
  ].join('')
  const path = join(cwd, '.codex/config.toml')
  writeFileSync(path, config)
  const agent = [
    'codex',
    'exec',
    '--skip-git-repo-check',
    '-C',
    cwd,
    'Call the tool echo with message set to hello-joust.',
  ]
  const argv = [binary, 'record', '--no-model-proxy', '--mcp-config', path, '--', ...agent]
  const env = { ...process.env, ...environmentAt(origin), HOME: cwd }
  const child = spawn(process.execPath, argv, { cwd, env, stdio: 'ignore' })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  const session = readFileSync(join(cwd, 'joust-session/session.yaml'), 'utf8')
  for (const name of ['everything', 'files', 'memory', ...(hasTime ? ['time'] : [])])
    expect(session).toMatch(new RegExp(`^ {2}- name: ${name}$`, 'm'))
  // The simulated model obeys much of the agent's own prompt, so the text that it repeats may vary.
  expect(session).toMatch(/method: tools\/call\n +name: echo\n/)
  for (const tool of ['get-sum', 'read_text_file', 'create_entities', ...(hasTime ? ['get_current_time'] : [])])
    expect(session).toContain(`name: ${tool}`)
  expect(readFileSync(path, 'utf8')).toBe(config)
})
