import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { folder, joust } from '../world.ts'

const server = fileURLToPath(new URL('../../../authoring/test/aim/server.mjs', import.meta.url))
const tools = readFileSync(new URL('../../../../examples/aim/tools.json', import.meta.url), 'utf8')
const config = (ways: readonly string[], env: Record<string, string> = {}) =>
  JSON.stringify({
    mcpServers: Object.fromEntries(ways.map((way) => [way, { command: process.execPath, args: [server, way], env }])),
  })

test('a folder with .mcp.json becomes proven documents, which joust run takes', async () => {
  const cwd = folder({ '.mcp.json': config(['plain', 'crash']) })
  const { code, stdout, stderr } = await joust(['aim', '--yes', '--max', '3'], { cwd })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^(?:wrote .*\n){3}/) })
  expect(stderr).toContain('joust: crash: the server disconnected')
  expect(stderr).toContain('joust: 3 proven documents in attacks/aimed')
  expect(await joust(['prove', 'attacks/aimed', '--quiet'], { cwd })).toMatchObject({ code: 0 })
  expect(await joust(['lint', 'attacks/aimed'], { cwd })).toMatchObject({ code: 0 })
  expect(await joust(['fmt', '--check', 'attacks/aimed'], { cwd })).toMatchObject({ code: 0 })
}, 60_000)

test('a folder with .mcp.json becomes a suite of at least 20 proven documents in one command', async () => {
  const cwd = folder({ '.mcp.json': config(['plain', 'orders', 'changing']) })
  const { code, stdout } = await joust(['aim', '--yes', '--json', '--quiet'], { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout).documents.length).toBeGreaterThanOrEqual(20)
  expect(readdirSync(join(cwd, 'attacks/aimed')).length).toBeGreaterThanOrEqual(20)
}, 180_000)

test('an entry without the text of a command is named', async () => {
  const cwd = folder({ '.mcp.json': '{"mcpServers":{"a":{"command":7},"b":{"command":""}}}' })
  const { code, stderr } = await joust(['aim', '--yes', '--flows'], { cwd })
  expect(code).toBe(10)
  for (const name of ['a', 'b']) expect(stderr).toContain(`${name}: expected a command or a URL\n`)
})

describe('servers of .mcp.json, which may come with a cloned repository,', () => {
  const secret = 'tops3cretvalue'
  const cloned = () =>
    folder({ '.mcp.json': config(['plain'], { MAIL_TOKEN: secret }).replace('"plain"]', `"plain","${secret}"]`) })

  test('are not started without a terminal and without --yes', async () => {
    const { code, stdout, stderr } = await joust(['aim', '--flows'], { cwd: cloned() })
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toBe(
      'joust: .mcp.json starts 1 server (plain), and there is no terminal to ask for permission; add --yes, or pass the file with --mcp-config\n',
    )
  })

  test.each([
    ['y', 0],
    ['', 64],
    ['no', 64],
  ])('are started after a question, which names the commands: %j', async (answer, exit) => {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return answer
    }
    const { code, stdout, stderr } = await joust(['aim', '--flows'], { cwd: cloned(), ask })
    expect(questions).toEqual(['Start 1 server to list the tools? [y/N] '])
    expect(stderr).toContain(`.mcp.json: plain starts ${process.execPath} ${server} plain \${MAIL_TOKEN}`)
    expect(stderr).not.toContain(secret)
    expect(code).toBe(exit)
    expect(stdout.includes('plain/send_email')).toBe(exit === 0)
    if (exit !== 0) expect(stderr).toContain('joust: no server was started')
  })

  test('are started with --yes, which says so, and if the command line names the file', async () => {
    const cwd = cloned()
    const agreed = await joust(['aim', '--flows', '--yes'], { cwd })
    expect(agreed.code).toBe(0)
    expect(agreed.stderr).toContain('.mcp.json: plain starts ')
    expect((await joust(['aim', '--flows', '--mcp-config', '.mcp.json'], { cwd })).stdout).toBe(agreed.stdout)
  })
})

test.each([
  ['.vscode/mcp.json', (text: string) => `// ours\n${text.replace('mcpServers', 'servers')}`],
  ['.codex/config.toml', () => `[mcp_servers.plain]\ncommand = "node"\nargs = [${JSON.stringify(server)}, "plain"]\n`],
])('without .mcp.json, the servers of %s are used, also by joust init', async (place, textOf) => {
  const cwd = folder({ [place]: textOf(config(['plain'])), '.gemini/settings.json': '{"theme":"dark"}' })
  expect((await joust(['aim', '--flows'], { cwd })).stderr).toContain(`joust: ${place} starts 1 server (plain), and`)
  const { stdout, stderr } = await joust(['aim', '--flows', '--yes'], { cwd })
  expect([stdout, stderr]).toEqual([expect.stringContaining('plain/send_email'), expect.stringContaining(place)])
  expect((await joust(['init'], { cwd })).stdout).toContain(
    `joust aim                 writes attacks that use the tools of ${place}`,
  )
})

test('a server starts in its own folder, with the variables that editors fill in', async () => {
  const entry = { command: 'node', args: [`\${workspaceFolder}/servers/mail.mjs`, 'plain'], cwd: 'servers' }
  const cwd = folder({
    'mcp.json': JSON.stringify({ mcpServers: { mail: entry } }),
    'servers/here': '',
    'servers/mail.mjs': `import { existsSync } from 'node:fs'\nif (!existsSync('here')) process.exit(1)\nawait import(${JSON.stringify(server)})`,
  })
  const { stdout, stderr } = await joust(['aim', '--mcp-config', 'mcp.json', '--flows'], { cwd })
  expect(stdout, stderr).toContain('mail/send_email')
})

test('a target that is a command uses the configuration in its folder, after the same question', async () => {
  const cwd = folder({ '.mcp.json': config(['plain']), 'joust.yaml': 'targets: { clerk: { exec: node agent.mjs } }\n' })
  const refused = await joust(['aim', '--on', 'clerk', '--flows'], { cwd })
  expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining('.mcp.json starts 1 server (plain)') })
  expect((await joust(['aim', '--on', 'clerk', '--flows', '--yes'], { cwd })).stdout).toContain('plain/send_email')
})

test('a correction of joust.yaml without effect is named', async () => {
  const cwd = folder({
    'tools.json': tools,
    'joust.yaml': 'aim: { tools: { mailbox/read_mail: none, elsewhere/tool: sink } }\n',
  })
  const { stderr } = await joust(['aim', '--tools', 'tools.json', '--flows', '--quiet'], { cwd })
  expect(stderr).toBe('joust: joust.yaml: aim.tools: no such tool: mailbox/read_mail\n')
})

test('documents are written once: the same stay, edited ones are kept', async () => {
  const cwd = folder({ 'tools.json': tools })
  const command = ['aim', '--tools', 'tools.json', '--max', '2', '--out', 'made', '--quiet']
  await joust(command, { cwd })
  const [first = ''] = readdirSync(join(cwd, 'made')).sort()
  writeFileSync(join(cwd, 'made', first), 'edited')
  const { code, stdout } = await joust(command, { cwd })
  expect(code).toBe(0)
  expect(stdout.match(/^\w+/gm)?.sort()).toEqual(['kept', 'same'])
  expect(readFileSync(join(cwd, 'made', first), 'utf8')).toBe('edited')
}, 60_000)

test('values of a configuration never appear', async () => {
  const secret = 'tops3cretvalue'
  const cwd = folder({ '.mcp.json': config(['secret', 'crash'], { MAIL_TOKEN: secret }) })
  const flows = await joust(['aim', '--yes', '--flows', '--format', 'json'], { cwd })
  const aimed = await joust(['aim', '--yes', '--max', '2', '--technique', 'tool-description'], { cwd })
  const written = readdirSync(join(cwd, 'attacks/aimed')).map((name) =>
    readFileSync(join(cwd, 'attacks/aimed', name), 'utf8'),
  )
  expect(written.join()).toContain(`Reads mail with \${MAIL_TOKEN}.`)
  expect(`${JSON.stringify([flows, aimed])}${written.join()}`).not.toContain(secret)
}, 60_000)

test('an order in a description changes neither labels nor flows', async () => {
  const flowsOf = async (way: string) => {
    const cwd = folder({ '.mcp.json': config([way]) })
    return (await joust(['aim', '--yes', '--flows'], { cwd })).stdout.replaceAll(`${way}/`, 'x/').replaceAll(/ +/g, ' ')
  }
  expect(await flowsOf('orders')).toBe(await flowsOf('plain'))
})

test('--label keeps corrections in joust.yaml, which later calls use', async () => {
  const cwd = folder({ 'tools.json': tools, 'joust.yaml': '# ours\nattacks: [attacks]\n' })
  const base = ['aim', '--tools', 'tools.json', '--flows']
  const first = await joust([...base, '--label', 'mailbox/read_email=none', 'orders/get_order=source,private'], { cwd })
  expect(first.stderr).toContain('2 corrections saved in joust.yaml')
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toMatch(/^# ours\nattacks: \[attacks\]\naim:\n/)
  const { stdout } = await joust(base, { cwd })
  expect(stdout).toContain('mailbox/read_email    none\n')
  expect(stdout).toContain('orders/get_order      source, private: set in joust.yaml or with --label\n')
})

test('without joust.yaml, --label creates one', async () => {
  const cwd = folder({ 'tools.json': tools })
  await joust(['aim', '--tools', 'tools.json', '--flows', '--label', 'orders/get_order=source'], { cwd })
  expect(readFileSync(join(cwd, 'joust.yaml'), 'utf8')).toBe('aim:\n  tools:\n    orders/get_order:\n      - source\n')
})

test('an agent file and a target use the servers that joust.yaml binds', async () => {
  const agent = `schema_version: "1.0.0"
metadata: { id: clerk, name: Clerk, version: "1.0.0", description: Answers mail. }
interface: { input: { type: object }, output: { type: object } }
action_space:
  mcp_servers: [{ alias: plain }]
execution_policy: { id: agf.react, config: { instructions: Help., model: sim/credulous } }
`
  const project = `targets: { clerk: { agent: clerk.agf.yaml }, naive: { model: sim/credulous } }
bindings:
  mcp_servers:
    plain: { command: ${process.execPath}, args: [${server}, plain] }
`
  const cwd = folder({ 'clerk.agf.yaml': agent, 'joust.yaml': project })
  const byFile = await joust(['aim', 'clerk.agf.yaml', '--flows'], { cwd })
  expect(byFile.stdout, byFile.stderr).toContain('plain/send_email')
  expect((await joust(['aim', '--on', 'clerk', '--flows'], { cwd })).stdout).toBe(byFile.stdout)
  const { code, stderr } = await joust(['aim', '--on', 'naive', '--flows'], { cwd })
  expect(code).toBe(64)
  expect(stderr).toContain('--on naive: this target does not list its tools')
})

test.each([
  [[], 'missing input: no .mcp.json or other MCP server configuration in this folder'],
  [['--mcp-config', 'none.json'], 'none.json: no such file'],
  [['--mcp-config', 'bad.json'], 'bad.json: '],
  [['--tools', 'bad.json'], 'expected a list of tools'],
  [['bad.json'], 'bad.json: expected a session file or an agent file'],
  [['session.yaml'], 'session.yaml: the session has errors'],
  [['--tools', 'tools.json', '--label', 'x/y=sink'], '--label x/y: no such tool'],
  [['--tools', 'tools.json', '--label', 'orders/get_order=sinks'], 'did you mean sink'],
  [['--tools', 'tools.json', '--technique', 'rugpull'], 'did you mean rug-pull'],
  [['--tools', 'tools.json', '--format', 'html'], '--format can only be used with --flows'],
  [['--on', 'x'], '--on needs a project file'],
])('%j is wrong usage', async (words, message) => {
  const cwd = folder({ 'bad.json': '{}', 'tools.json': tools, 'session.yaml': 'joust_session: 1\nservers: 3\n' })
  const { code, stderr } = await joust(['aim', ...words], { cwd })
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining(message) })
  expect(existsSync(join(cwd, 'attacks'))).toBe(false)
})

test('no flow is a finding', async () => {
  const cwd = folder({ 'tools.json': '[{"name": "get_time"}]' })
  const { code, stderr } = await joust(['aim', '--tools', 'tools.json'], { cwd })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('no flows: there is no source and no sink'),
  })
})

test('joust init offers it for a folder with a configuration', async () => {
  const cwd = folder({ '.mcp.json': config(['plain']) })
  const offer = /^ {6}joust aim +writes attacks that use the tools of \.mcp\.json$/m
  expect((await joust(['init'], { cwd })).stdout).toMatch(offer)
  expect((await joust(['init'], { cwd })).stdout).toMatch(offer)
  expect((await joust(['init'], { cwd: folder() })).stdout).not.toMatch(offer)
})
