/** No key, header or password of a run is in any written file, even when it is repeated. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { run } from '../../src/main.ts'
import { SERVER, USER } from '../run/documents.ts'
import { AGENT, EVERY_FORMAT, folder, joust, memoryIo, reportData } from '../world.ts'

const KEY = 'canary-key-4f1d77'
const everything = ['--report', EVERY_FORMAT, '--grace', '0', '--out', 'out']

/** A client, so that a command that speaks MCP is started. */
const CLIENT = `oatf: "0.1"
attack:
  execution: { mode: mcp_client, state: { actions: [{ method: tools/list }] } }
  indicators: [{ surface: tools/list, direction: response, target: "tools[*].name", pattern: { contains: x } }]
`

/** A server that answers every request like this. */
async function serve(answer: (response: ServerResponse, body: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk)).on('end', () => answer(response, body))
  })
  return listenForTest(server)
}

function stream(response: ServerResponse, events: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}

/** An agent over AG-UI that says a text letter by letter. */
const saying = (text: string) =>
  serve((response) =>
    stream(response, [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      ...[...text].map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta })),
      { type: 'TEXT_MESSAGE_END', messageId: 'm' },
      { type: 'CUSTOM', name: text, value: { [text]: text } },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ]),
  )

/** Every file below a folder, with the text that its deltas form, even where they are inside another text. */
function written(cwd: string, under: string): { name: string; text: string }[] {
  const names = readdirSync(join(cwd, under), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => statSync(join(cwd, under, name)).isFile())
    .map((name) => {
      const written = readFileSync(join(cwd, under, name), 'utf8')
      const text = name.endsWith('.html') ? written + reportData(written) : written
      const deltas = [...text.replaceAll('\\"', '"').matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta)
      return { name, text: `${text}\n${deltas.join('')}` }
    })
}

function expectHidden(cwd: string, under: string, secret: string): void {
  const files = written(cwd, under)
  expect(files.length).toBeGreaterThan(0)
  for (const { name, text } of files) expect([name, text.includes(secret)]).toEqual([name, false])
}

test('a header that the agent repeats, letter by letter, as a whole and as a name', async () => {
  const url = await saying(`your key is ${KEY}, is it not?`)
  const cwd = folder({ 'a.oatf.yaml': USER })
  const argv = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, '--header', `authorization=Bearer \${TOKEN}`]
  const { stdout, stderr } = await joust([...argv, ...everything], { cwd, env: { TOKEN: KEY } })
  expect(stdout + stderr).not.toContain(KEY)
  expectHidden(cwd, 'out', KEY)
  const trace = readFileSync(join(cwd, 'out/traces/a.1.jsonl'), 'utf8')
  expect(trace).toContain('your key is [redacted: secret], is it not?')
})

const ODD = 'canary/key&4f1d77'

test.each([
  ['percent-encoded in lower case', ODD.replace('/', '%2f').replace('&', '%26')],
  ['percent-encoded in part', ODD.replace('canary', 'can%61ry')],
  ['percent-encoded byte by byte', [...Buffer.from(ODD)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['with an escaped slash', ODD.replace('/', '\\/')],
  ['with an escaped ampersand', ODD.replace('&', '\\u0026')],
  ['encoded twice', encodeURIComponent(encodeURIComponent(ODD))],
])('a header that the agent repeats %s', async (_, spelled) => {
  const url = await saying(`your key is ${spelled}, is it not?`)
  const cwd = folder({ 'a.oatf.yaml': USER })
  const argv = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, '--header', `authorization=Bearer \${TOKEN}`]
  const { stdout, stderr } = await joust([...argv, ...everything], { cwd, env: { TOKEN: ODD } })
  for (const form of [spelled, JSON.stringify(spelled).slice(1, -1), spelled.replaceAll('&', '&amp;')]) {
    expect(stdout + stderr).not.toContain(form)
    expectHidden(cwd, 'out', form)
  }
  const trace = readFileSync(join(cwd, 'out/traces/a.1.jsonl'), 'utf8')
  expect(trace).toContain('your key is [redacted: secret], is it not?')
})

test('a literal token is hidden in the output of the agent and in the progress line', async () => {
  const url = await saying(`your token is ${KEY}, is it not?`)
  const cwd = folder({ 'a.oatf.yaml': USER })
  const argv = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, '--token', KEY]
  const { stdout, stderr } = await joust([...argv, ...everything], { cwd })
  expect(stdout + stderr).not.toContain(KEY)
  expectHidden(cwd, 'out', KEY)
  expect(readFileSync(join(cwd, 'out/traces/a.1.jsonl'), 'utf8')).toContain('your token is [redacted: secret], is it')
  const interruption = AbortSignal.abort()
  const ended = await joust([...argv, '--header', `X-Key=other-${KEY}`, '--out', 'ended'], { cwd, interruption })
  expect(ended.stderr).toContain('joust: to continue: joust run a.oatf.yaml')
  expect(ended.stderr).not.toContain(KEY)
})

/** A model that gives away its key, at once or letter by letter. */
const tellingItsKey = () =>
  serve((response, body) => {
    const text = `the key is ${KEY}`
    if (JSON.parse(body).stream !== true) {
      const message = { role: 'assistant', content: text }
      response.writeHead(200, { 'content-type': 'application/json' })
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return void response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices }))
    }
    const chunk = (delta: object, finish: string | null = null) => ({
      ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    stream(response, [...[...text].map((content) => chunk({ role: 'assistant', content })), chunk({}, 'stop')])
  })

const TELLER = AGENT.replace('model: any', 'model: openai-chat/m')

test('the key of a model that the model repeats', async () => {
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: await tellingItsKey() }
  const cwd = folder({ 'a.oatf.yaml': SERVER, 'a.agf.yaml': TELLER })
  const run = ['run', 'a.oatf.yaml', '--model', 'openai-chat/m', ...everything, '--no-preflight', '--record', 'tapes']
  const { stdout, stderr } = await joust(run, { cwd, env })
  expect(stdout + stderr).not.toContain(KEY)
  expectHidden(cwd, 'out', KEY)
  expectHidden(cwd, 'tapes', KEY)
  const agent = await joust(['agent', 'run', 'a.agf.yaml', '-i', '"hello"', '--events', 'events/e.jsonl'], { cwd, env })
  expect(agent.code).toBe(64)
  const again = await joust(['agent', 'run', 'a.agf.yaml', '-i', '"hello"', '--events', 'out/e.jsonl'], { cwd, env })
  expect(again).toMatchObject({ code: 0, stdout: '"the key is [redacted: secret]"\n' })
  expect(again.stderr).not.toContain(KEY)
  expectHidden(cwd, 'out', KEY)
})

test('the key of a model that the model repeats letter by letter, in the events of an agent that is served', async () => {
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: await tellingItsKey() }
  const cwd = folder({ 'a.agf.yaml': TELLER, 'events/.keep': '' })
  const stop = new AbortController()
  const { io, stdout } = memoryIo({ cwd, env, interruption: stop.signal })
  const ended = run(['agent', 'serve', 'a.agf.yaml', '--ag-ui', '--events', 'events/e.jsonl'], io)
  await expect.poll(() => stdout.join(''), { timeout: 20_000 }).toContain('http://')
  const messages = [{ id: 'm', role: 'user', content: 'hello' }]
  const asked = await fetch(stdout.join('').trim(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      threadId: 't',
      runId: 'r',
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages,
    }),
  })
  expect(await asked.text()).toContain('RUN_FINISHED')
  stop.abort()
  await ended
  const events = readFileSync(join(cwd, 'events/e.jsonl'), 'utf8')
  expect(events).toContain('"model-text"')
  expect(events).toContain('the key is [redacted: secret]')
  expectHidden(cwd, 'events', KEY)
})

test('a header by the name of a protocol that holds a key', async () => {
  const url = await saying(`your key is ${KEY}, is it not?`)
  const cwd = folder({ 'a.oatf.yaml': USER })
  const argv = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, '--header', `mcp-api-key=${KEY}`]
  const { stdout, stderr } = await joust([...argv, ...everything], { cwd })
  expect(stdout + stderr).not.toContain(KEY)
  expectHidden(cwd, 'out', KEY)
})

test.each(['--exec', '--acp'])(
  'a key that a preset of the project file passes to its program, by %s',
  async (option) => {
    const say = 'console.error(process.env.MINE); console.log(process.env.MINE)'
    const command = JSON.stringify([process.execPath, join(folder({ 'say.cjs': say }), 'say.cjs')])
    const preset = `presets: { mine: { command: ${command}, acp: ${command}, keys: [MINE] } }\n`
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'joust.yaml': preset })
    const argv = ['run', 'a.oatf.yaml', option, 'mine', '--no-preflight', ...everything]
    const { stdout, stderr } = await joust(argv, { cwd, env: { MINE: KEY, PATH: process.env.PATH } })
    expect(stdout + stderr).not.toContain(KEY)
    expectHidden(cwd, 'out', KEY)
    expect(readFileSync(join(cwd, 'out/results.json'), 'utf8')).toContain('[redacted: secret]')
  },
)

test('variables in the output of a command', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER, 'say.mjs': 'console.log(process.env.MY_KEY)' })
  const exec = `${process.execPath} ${join(cwd, 'say.mjs')}`
  const argv = ['run', 'a.oatf.yaml', '--exec', exec, '--pass-env', 'MY_KEY', ...everything]
  const { stdout, stderr } = await joust(argv, { cwd, env: { MY_KEY: KEY, PATH: process.env.PATH } })
  expect(stdout + stderr).not.toContain(KEY)
  expectHidden(cwd, 'out', KEY)
  expect(readFileSync(join(cwd, 'out/results.json'), 'utf8')).toContain('[redacted: secret]')
})

test('the last line of a trace', async () => {
  const cwd = folder({ 'a.oatf.yaml': USER })
  const url = await serve((response) => response.writeHead(500).end(`refused: ${KEY}`))
  const argv = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, '--header', `x-api-key=${KEY}`]
  // The preflight reports it first, and then there is no trace.
  expect((await joust([...argv, '--out', 'first'], { cwd })).stderr).toContain('refused: [redacted: secret]')
  expect((await joust([...argv, '--no-preflight', ...everything], { cwd })).code).toBe(5)
  const lines = readFileSync(join(cwd, 'out/traces/a.1.jsonl'), 'utf8').trim().split('\n')
  expect(lines.at(-1)).toContain('joust_trace_end')
  expectHidden(cwd, 'out', KEY)
})

test('an unreadable trace in a report', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  await joust(['run', 'a.oatf.yaml', '--model', 'sim/credulous', ...everything], { cwd })
  const path = join(cwd, 'out/traces/a.1.jsonl')
  const [first] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, `${first}\n{"seq":1,"${KEY}":\n{"seq":"${KEY}"}\n`)
  const { stdout } = await joust(['report', 'out', '--format', 'html', '--redact', KEY], { cwd })
  expect(stdout + reportData(stdout)).not.toContain(KEY)
  expect(reportData(stdout)).toContain('to be a whole number')
})

test.each([
  ['--dry-run', ['a.oatf.yaml', '--dry-run', '--target', `ag_ui=http://me:${KEY}@127.0.0.1:1/x?token=${KEY}`]],
  ['--dry-run with a command', ['b.oatf.yaml', '--dry-run', '--exec', `env API_KEY=${KEY} agent`]],
  ['an invalid address', ['a.oatf.yaml', '--target', `ag_ui=http://me:${KEY}@:bad/`]],
  ['a protocol that is none', ['a.oatf.yaml', '--target', `ag_iu=http://me:${KEY}@127.0.0.1/`]],
  ['an address without a protocol', ['a.oatf.yaml', '--target', `http://me:${KEY}@127.0.0.1/`]],
  ['a header without a name', ['a.oatf.yaml', '--target', 'ag_ui=http://127.0.0.1:1/', '--header', `Bearer ${KEY}`]],
  ['a header of two lines', ['a.oatf.yaml', '--target', 'ag_ui=http://127.0.0.1:1/', '--header', `a=b\n${KEY}`]],
  ['a variable before a command', ['b.oatf.yaml', '--exec', `API_KEY=${KEY} agent`]],
  ['an option that is none', ['a.oatf.yaml', `--haeder=authorization: Bearer ${KEY}`]],
  ['an option that is none, with its value', ['a.oatf.yaml', `--tokn=${KEY}`]],
  ['a word too many', ['a.oatf.yaml', '--model', 'sim/cautious', `http://me:${KEY}@127.0.0.1/`]],
])('%s does not repeat a key', async (_, argv) => {
  const cwd = folder({ 'a.oatf.yaml': USER, 'b.oatf.yaml': SERVER })
  const { stdout, stderr } = await joust(['run', ...argv], { cwd })
  expect(stdout + stderr).not.toBe('')
  expect(stdout + stderr).not.toContain(KEY)
})

test('a URL in place of results is rejected, without its password in the message', async () => {
  const { code, stderr } = await joust(['report', `https://me:${KEY}@results.example/x`], { cwd: folder({}) })
  expect([code, stderr]).toEqual([64, 'joust: https://[hidden]@results.example/x: no such file\n'])
})

test.each([
  ['--exec', SERVER, (program: string) => ['--exec', `${program} {prompt}`]],
  ['--acp', SERVER, (program: string) => ['--acp', program]],
  ['--target mcp=…', CLIENT, (program: string) => ['--target', `mcp=${program}`]],
])('what a program prints of the values in its own command line, by %s', async (_, document, words) => {
  const say = `const said = process.env.API_KEY + process.argv.join(' '); console.error(said); console.log(said)`
  const values = ['one', 'two', 'three'].map((name) => `${KEY}-${name}`)
  const [one, two, three] = values
  const code = join(folder({ 'say.cjs': say }), 'say.cjs')
  const random = '9f8e7d6c5b4a39281706f5e4'
  const program = `env API_KEY=${one} ${process.execPath} ${code} --token=${two} --header "X-Key: Bearer ${three}" ${random}`
  const cwd = folder({ 'a.oatf.yaml': document })
  const argv = ['run', 'a.oatf.yaml', ...words(program), '--no-preflight', '--max-duration', '20s', ...everything]
  const { stdout, stderr } = await joust(argv, { cwd, env: { PATH: process.env.PATH } })
  for (const secret of [KEY, random]) {
    expect(stdout + stderr).not.toContain(secret)
    expectHidden(cwd, 'out', secret)
  }
  expect(readFileSync(join(cwd, 'out/results.json'), 'utf8')).toContain('[redacted: secret]')
})

test('the line of a command is kept without inline values', async () => {
  const cwd = folder({ 'b.oatf.yaml': SERVER })
  const exec = `/nowhere/agent --mode fast API_KEY="${KEY} and more" 9f8e7d6c5b4a39281706f5e4 {prompt}`
  await joust(['run', 'b.oatf.yaml', '--exec', exec, ...everything], { cwd })
  const [target] = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')).targets
  expect(target.name).toBe('/nowhere/agent --mode fast API_KEY=[hidden] [hidden] {prompt}')
  expectHidden(cwd, 'out', KEY)
  expectHidden(cwd, 'out', '9f8e7d6c5b4a39281706f5e4')
})
