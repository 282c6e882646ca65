/** Targets as data: what travels, where it may run, what stays where it is. */
import { chmodSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { load } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../fleet/src/database.ts'
import { withPostgres } from '../../../fleet/test/server.ts'
import { freePort, listenForTest } from '../../../io/test/loopback.ts'
import { bindRuntime } from '../../src/agent/bind-runtime.ts'
import { openAgent } from '../../src/agent/open-agent.ts'
import { prepareTarget } from '../../src/fleet/prepare-target.ts'
import type { RunOptions } from '../../src/options/run.ts'
import { plainTarget } from '../../src/project/choose.ts'
import { readProject } from '../../src/project/read.ts'
import { planTarget } from '../../src/target/plan-target.ts'
import { agentText } from '../agents.ts'
import { PROMPT, SERVER, USER } from '../run/documents.ts'
import { provider } from '../target/model-world.ts'
import { AGENT, folder, memoryIo } from '../world.ts'
import { campaignAt } from './campaign.ts'

const TIMEOUT = 180_000
const VARIABLE = (name: string) => `\${${name}}`
const PATH = { PATH: process.env.PATH }

/** A client that calls a tool of the server under attack. */
const CLIENT = `oatf: "0.1"
attack:
  id: TEST-004
  name: A client that asks a server
  execution:
    mode: mcp_client
    state: { actions: [{ method: tools/call, params: { name: tell, arguments: {} } }] }
  indicators:
    - { surface: tools/call, direction: response, target: "content[*].text", pattern: { contains: here } }
`

/** Reports what is in the folder that it runs in. */
const MCP_SERVER = `import { readdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line)
  if (id === undefined) continue
  const serverInfo = { name: 'x', version: '1' }
  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
    : method === 'tools/list' ? { tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }
    : { content: [{ type: 'text', text: readdirSync('.').join() }] }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
`

withPostgres('targets of joust.yaml', (server) => {
  const campaign = (name: string, cwd: string) => campaignAt(server().database(name), cwd)
  const files = (targets: string, more = '') => ({
    'joust.yaml': `attacks: a.oatf.yaml\ntargets:\n${targets}\ngrace: "0"\nobserve: "0"\n${more}`,
    'a.oatf.yaml': USER,
  })

  test(
    'all in one submission; an http target with variables that only some workers have',
    async () => {
      const asked: (string | undefined)[] = []
      const agent = createServer((request, response) => {
        asked.push(request.headers.authorization)
        response.end(JSON.stringify({ reply: `breach ${request.headers.authorization}` }))
      })
      const origin = await listenForTest(agent)
      const http = `{ url: "${VARIABLE('PLACE')}/chat", headers: { authorization: "Bearer ${VARIABLE('KEY')}" }, body: { q: "{prompt}" }, answer: reply }`
      const cwd = folder(files(`  silent: { model: sim/silent }\n  asked: { http: ${http} }`, 'retries: 1\n'))
      const { url, submit, work, results, status } = campaign('http', cwd)
      const env = { PLACE: origin, KEY: 'sesame-0815-open' }
      expect(await submit([], env)).toMatchObject({ code: 0, stdout: 'n\n' })
      const database = await openDatabase(url)
      const { rows } = await database.pool.query('select data::text as data from joust.target order by name')
      await database.close()
      expect(rows).toHaveLength(2)
      expect(JSON.stringify(rows)).toContain(VARIABLE('KEY'))
      expect(JSON.stringify(rows)).not.toMatch(/sesame|127\.0\.0\.1/)
      const poor = await work()
      expect(poor.stderr).toContain(
        'this worker cannot attack http asked: the environment variable PLACE is not set; the environment variable KEY is not set',
      )
      expect(poor.stderr).toContain('1 result recorded')
      expect((await work([], env)).stderr).toContain('1 result recorded')
      expect(asked).toContain('Bearer sesame-0815-open')
      expect(await status()).toContain('2/2')
      expect(JSON.stringify(await results())).not.toContain('sesame')
    },
    TIMEOUT,
  )

  test(
    'a key that only the worker has is redacted in its records, in any spelling',
    async () => {
      const model = createServer((request, response) => {
        const message = { role: 'assistant', content: `breach ${request.headers.authorization}` }
        const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
        const choices = [{ index: 0, message, finish_reason: 'stop' }]
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ id: 'x', created: 1, model: 'm', choices, usage }))
      })
      const origin = await listenForTest(model)
      const env = {
        OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1`,
        OPENAI_COMPATIBLE_API_KEY: 'plain words as a key',
      }
      const { url, submit, work } = campaign('hidden', folder(files('  mine: { model: openai-compatible/some }')))
      expect(await submit()).toMatchObject({ code: 0 })
      expect((await work([], env)).stderr).toContain('1 result recorded')
      const database = await openDatabase(url)
      const { rows } = await database.pool.query('select result::text as result, trace from joust.run')
      await database.close()
      const entered = `${rows[0].result}\n${gunzipSync(rows[0].trace)}`
      expect(entered).toContain('breach Bearer')
      expect(entered).not.toContain('plain words')
    },
    TIMEOUT,
  )

  test(
    'an agent with serve is started by workers that may start it, with its script, and ended by them',
    async () => {
      const port = await freePort()
      const agent = `import { createServer } from 'node:http'
createServer((_, response) => response.end(JSON.stringify({ reply: 'breach' }))).listen(${port}, '127.0.0.1')
`
      const http = `{ url: "http://127.0.0.1:${port}/", body: { q: "{prompt}" }, answer: reply }`
      const cwd = folder({
        ...files(`  mine: { http: ${http}, serve: { command: "node bin/agent.mjs" } }`, 'trials: 2\n'),
        'bin/agent.mjs': agent,
      })
      const { submit, work, status } = campaign('serve', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      expect((await work([], PATH)).stderr).toContain('runs without --allow-exec')
      expect((await work(['--allow-exec', '--concurrency', '2'], PATH)).stderr).toContain('2 results recorded')
      expect(await status()).toContain('2/2 · 2 exploited')
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
    },
    TIMEOUT,
  )

  test(
    'a command brings its script and its path to the answer, to workers that may start it',
    async () => {
      const agent = `process.stdout.write(JSON.stringify({ reply: 'breach ' + process.env.WORD }))\n`
      const targets = `  mine: { exec: "node bin/agent.mjs", answer_path: reply, env: { WORD: "${VARIABLE('KEY')}" } }\n  ours: { exec: ours }`
      const preset =
        'presets:\n  ours: { command: [node, -e, "console.log(String.fromCharCode(98,114,101,97,99,104))"] }\n'
      const cwd = folder({ ...files(targets, preset), 'bin/agent.mjs': agent })
      const { submit, work, status } = campaign('commands', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      const { stderr } = await work([], PATH)
      expect(stderr.match(/runs without --allow-exec/g)).toHaveLength(2)
      expect((await work(['--allow-exec'], { ...PATH, KEY: 'x' })).stderr).toContain('2 results recorded')
      expect(await status()).toContain('2/2 · 2 exploited')
    },
    TIMEOUT,
  )

  test(
    'commands run in the folder of the target, which came along, not in that of the worker',
    async () => {
      const tell = `#!/usr/bin/env node\nprocess.stdout.write('breach ' + (await import('node:fs')).readdirSync('.'))\n`
      const cwd = folder({ ...files('  mine: { exec: "./tell.mjs" }'), 'tell.mjs': tell })
      chmodSync(join(cwd, 'tell.mjs'), 0o755)
      const { submit, work, look } = campaign('folders', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      expect((await work(['--allow-exec'], PATH)).stderr).toContain('1 result recorded')
      expect((await look('results', '--out', 'out')).code).toBe(0)
      const [trial] = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')).targets[0].attacks[0].trials
      expect(trial).toMatchObject({ outcome: 'exploited', answer: 'breach joust.yaml,tell.mjs' })
      // An MCP server that is started by a command finds its files there, too.
      const mcp = folder({ 'a.oatf.yaml': CLIENT, 'here/server.mjs': MCP_SERVER })
      const second = campaign('servers', mcp)
      const given = ['a.oatf.yaml', '--target', 'mcp=node here/server.mjs', '--grace', '0', '--observe', '0']
      expect(await second.submit(given)).toMatchObject({ code: 0 })
      expect((await second.work(['--allow-exec'], PATH)).stderr).toContain('1 result recorded')
      expect(await second.status()).toContain('1/1 · 1 exploited')
    },
    TIMEOUT,
  )

  test('a script that bindings name by an absolute path is not read on workers, so it is refused', async () => {
    const script = join(folder({ 'script.yaml': 'turns: [{ text: hello }]\n' }), 'script.yaml')
    const bindings = `bindings: { models: { sim/x: { script: "${script}" } } }\n`
    const { submit } = campaign('absolute', folder(files('  mine: { model: sim/x }', bindings)))
    const stderr = expect.stringContaining(`absolute path ${script} in bindings`)
    expect(await submit()).toMatchObject({ code: 64, stderr })
  })

  test.each([
    ['--gateway', 'gateway: "127.0.0.1:7000"'],
    ['--model-listen', 'model_proxy: { listen: "127.0.0.1:7001" }'],
  ])('%s is one address, and runs are made on many machines', async (option, setting) => {
    const { submit } = campaign('gateway', folder(files(`  mine: { ag_ui: "http://127.0.0.1:9/", ${setting} }`)))
    expect(await submit()).toMatchObject({
      code: 64,
      stderr: expect.stringContaining(`${option} cannot be used with --queue`),
    })
  })

  test(
    'each worker has a model proxy, in front of the model API of its environment or of a simulated model',
    async () => {
      const { url: base, requests } = await provider()
      const agent = `const messages = [{ role: 'user', content: 'hello' }]
const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: JSON.stringify({ messages }) })
console.log('breach', (await answer.json()).choices[0].message.content)
`
      const targets = `  theirs: { exec: "node agent.mjs", model_proxy: { env: [OPENAI_BASE_URL] } }
  simulated: { exec: "node agent.mjs", with_model: sim/credulous }`
      const cwd = folder({ ...files(targets, 'budget: { calls: 100 }\n'), 'agent.mjs': agent })
      const { url, submit, work } = campaign('models', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      const { stderr } = await work(['--allow-exec'], { ...PATH, OPENAI_BASE_URL: base })
      expect(stderr).toContain('2 results recorded')
      const database = await openDatabase(url)
      const { rows } = await database.pool.query('select result::text as result from joust.run order by 1')
      const campaigns = await database.pool.query('select calls from joust.campaign')
      await database.close()
      expect(rows.map(({ result }) => JSON.parse(result).usage?.calls)).toEqual([1, 1])
      expect(requests.length).toBeGreaterThan(0)
      expect(Number(campaigns.rows[0].calls)).toBeGreaterThanOrEqual(2)
    },
    TIMEOUT,
  )

  test(
    'a function is loaded by workers, not by the submitting command',
    async () => {
      const cwd = folder({
        ...files('  mine: { module: ./agent.mjs }'),
        'agent.mjs': 'globalThis.loadedByFleet = true\nexport default () => "breach"\n',
      })
      const { submit, work, status } = campaign('functions', cwd)
      expect(await submit()).toMatchObject({ code: 0 })
      expect((await work()).stderr).toContain('runs without --allow-exec')
      expect(Reflect.get(globalThis, 'loadedByFleet')).toBeUndefined()
      expect((await work(['--allow-exec'])).stderr).toContain('1 result recorded')
      expect(await status()).toContain('1/1 · 1 exploited')
    },
    TIMEOUT,
  )

  test(
    'values of secrets are refused, by name and by shape',
    async () => {
      for (const [target, named] of [
        [
          'http: { url: "http://127.0.0.1:9/", headers: { x-api-key: abc } }',
          'target mine: x-api-key contains a secret',
        ],
        ['http: { url: "http://word@127.0.0.1:9/" }', 'a URL contains a user or password'],
        ['exec: "node -e 0", env: { MY_TOKEN: abc }', 'MY_TOKEN contains a secret'],
        ['ag_ui: "http://127.0.0.1:9/", token: abc', '--token contains a secret'],
        [`ag_ui: "http://127.0.0.1:9/", token: "abc${VARIABLE('X')}"`, '--token contains a secret'],
        [`ag_ui: "http://127.0.0.1:9/", headers: { x-api-key: "abc ${VARIABLE('X')}" }`, 'x-api-key contains a secret'],
        [`http: { url: "http://abc${VARIABLE('X')}@127.0.0.1:9/" }`, 'a user or password'],
        ['http: { url: "http://127.0.0.1:9/", body: { apiKey: abc } }', 'apiKey contains a secret'],
        ['http: { url: "http://127.0.0.1:9/?a=1&api%5Fkey=abc" }', 'the URL in url contains a secret (api_key)'],
        ['ag_ui: "http://127.0.0.1:9/?token=abc"', 'the URL in --target ag_ui contains a secret (token)'],
        ['exec: "agent --api-key abc"', '--exec contains a secret (--api-key)'],
        ['exec: "env API_KEY=abc agent"', '--exec contains a secret (API_KEY)'],
        ['exec: "curl -u me:abc http://127.0.0.1:9/"', '--exec contains a secret (-u)'],
        ['exec: "agent http://127.0.0.1:9/?token=abc"', 'the URL in --exec contains a secret (token)'],
        [`exec: 'agent {"apiKey":"abc"}'`, '--exec contains a secret (apiKey)'],
        ['exec: "agent a1b2c3d4e5f6a1b2c3d4e5f6"', '--exec seems to contain a secret'],
        ['mcp: "server --token abc"', '--target mcp contains a secret (--token)'],
        ['exec: "mysql -pabc"', '--exec contains a secret (password)'],
        ['exec: "agent me:abc@127.0.0.1"', '--exec contains a secret (password)'],
        ['exec: "node -e 0", env: { PLACE: "me:abc@127.0.0.1" }', 'PLACE contains a password'],
        [`exec: 'agent {"name":"Authorization","value":"abc"}'`, '--exec contains a secret (Authorization)'],
        [
          'http: { url: "http://127.0.0.1:9/", body: { headers: [{ name: Authorization, value: abc }] } }',
          'Authorization contains a secret',
        ],
        ['acp: "agent --passphrase abc"', '--acp contains a secret (--passphrase)'],
      ]) {
        const { submit } = campaign('refused', folder(files(`  mine: { ${target} }`)))
        const { code, stderr } = await submit([], PATH)
        expect([target, code, stderr]).toEqual([target, 64, expect.stringContaining(named ?? '')])
      }
    },
    TIMEOUT,
  )

  test(
    'the same on the command line and in bindings',
    async () => {
      const cwd = folder({ 'a.oatf.yaml': USER })
      for (const [words, named] of [
        [['--target', 'ag_ui=http://127.0.0.1:9/?api_key=X'], 'the URL in --target ag_ui contains a secret (api_key)'],
        [['--exec', 'node agent.mjs --api-key X'], '--exec contains a secret (--api-key)'],
        [['--exec', 'env API_KEY=X node agent.mjs'], '--exec contains a secret (API_KEY)'],
        [['--exec', 'node agent.mjs "--api-key" X'], '--exec contains a secret (--api-key)'],
        [['--exec', 'node agent.mjs --api-key=-hunter2x'], '--exec contains a secret (--api-key)'],
        [['--exec', 'node agent.mjs --set auth.key=X'], '--exec contains a secret (auth.key)'],
        [['--exec', `node agent.mjs --config '{"auth":{"value":"X"}}'`], '--exec contains a secret (auth)'],
        [['--exec', `node agent.mjs '{"token":["X"]}'`], '--exec contains a secret (token)'],
        [['--exec', 'node agent.mjs -HX-Api-Key:X'], '--exec contains a secret (-H)'],
        ...['#token=X', '?a=1;token=X', ';token=X', '?sig=X', '?code=X', '?access=X'].map(
          (end) => [['--target', `ag_ui=http://127.0.0.1:9/${end}`], 'the URL in --target ag_ui contains a'] as const,
        ),
        [['--target', 'ag_ui=http://127.0.0.1:9/', '--token', `X${VARIABLE('Y')}`], '--token contains a secret'],
      ] as const) {
        const { code, stderr } = await campaign('refused', cwd).submit(['a.oatf.yaml', ...words], PATH)
        expect([code, stderr]).toEqual([64, expect.stringContaining(named)])
      }
      for (const [bindings, named] of [
        ['models: { mine/x: { base_url: "http://127.0.0.1:9/", api_key: abc } }', 'api_key contains a secret'],
        ['mcp_servers: { a: { url: "http://127.0.0.1:9/", headers: { x-auth: abc } } }', 'x-auth contains a secret'],
        ['mcp_servers: { a: { command: node, args: [--token, abc] } }', 'command contains a secret (--token)'],
        [
          'mcp_servers: { a: { command: node, args: [--set, "auth.key=a b"] } }',
          'command contains a secret (auth.key)',
        ],
        ['mcp_servers: { a: { command: mysql, args: [-pabc] } }', 'command contains a secret (password)'],
        ['mcp_servers: { a: { command: node, env: { MY_KEY: abc } } }', 'MY_KEY contains a secret'],
      ]) {
        const { submit } = campaign(
          'refused',
          folder(files('  mine: { model: sim/silent }', `bindings: { ${bindings} }\n`)),
        )
        const { code, stderr } = await submit([], PATH)
        expect([bindings, code, stderr]).toEqual([bindings, 64, expect.stringContaining(named ?? '')])
      }
    },
    TIMEOUT,
  )

  test(
    'what only names a variable is sent',
    async () => {
      const [key, id] = [VARIABLE('KEY'), VARIABLE('ID')]
      const http = `url: "http://127.0.0.1:9/?api_key=${key}&v=1", headers: { authorization: "Bearer ${key}", cookie: "sid=${id}; key=${key}" }`
      const targets = [
        `  a: { http: { ${http}, body: { token: "${key}", headers: [{ name: Authorization, value: "Bearer ${key}" }], session_key: "{conversation}" } } }`,
        `  b: { exec: "node -e 0 --model some-model-20250101-long", env: { MY_TOKEN: "${key}" } }`,
        '  d: { exec: "node -e 0 --max-tokens 100 -u 1000:1000 --tokens 5 --keyboard us --password-file /x/y" }',
        `  e: { exec: "node -e 0 docker run -u node:node node:20@sha256:ab", env: { DSN: "me:${key}@127.0.0.1" } }`,
        `  c: { ag_ui: "http://${id}@127.0.0.1:9/", token: "${key}" }`,
      ]
      const cwd = folder(files(targets.join('\n')))
      expect(await campaign('sent', cwd).submit([], { ...PATH, KEY: 'abc', ID: 'x' })).toMatchObject({
        code: 0,
        stderr: '',
      })
    },
    TIMEOUT,
  )

  test(
    'workers read documents as the submitting command does',
    async () => {
      // As in earlier drafts; valid in both readings, which differ.
      const old = SERVER.replace(/surface: tools\/call/g, 'surface: tool_arguments')
      expect(old).not.toBe(SERVER)
      const cwd = folder({ 'a.oatf.yaml': old })
      const { submit, work } = campaign('strict', cwd)
      const run = ['a.oatf.yaml', '--model', 'sim/silent', '--prompt', PROMPT, '--grace', '0', '--observe', '0']
      expect(await submit([...run, '--strict'])).toMatchObject({ code: 0 })
      expect(await submit(run)).toMatchObject({ code: 64, stderr: expect.stringContaining('--strict') })
      const { stderr } = await work()
      expect(stderr).toContain('1 result recorded')
      expect(stderr).not.toContain('reads the document differently')
    },
    TIMEOUT,
  )
})

describe('a worker takes no orders about its own machine', () => {
  const about = { kind: 'model', name: 'x' } as const
  const given = { model: ['sim/silent'] }
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const code = encoded('bindings: { module: ./x.mjs }')
  test.each([
    [
      { given: { agent: ['/etc/passwd'] }, home: '.' },
      {},
      'the target refers to a file that was not submitted: /etc/passwd',
    ],
    [{ given, home: '../..' }, {}, 'a file is outside the folder: ../..'],
    [{ given, home: '.' }, { '../x': '' }, 'outside the folder: ../x'],
    [{ given: { ...given, record: ['/tmp/x'] }, home: '.' }, {}, 'option record is not supported by workers'],
    [{ given, home: '.', project: 'p.agf.yaml' }, { 'p.agf.yaml': code }, 'without --allow-exec'],
    [{ given, home: '.' }, { './x': '' }, 'not normalized: ./x'],
    [{ given, home: '.' }, { 'a//x': '' }, 'not normalized: a//x'],
    [{ given, home: '.' }, { 'a/./x': '' }, 'not normalized: a/./x'],
    [{ given, home: '.' }, { 'a\\x': '' }, 'not normalized: a\\x'],
    [{ given, home: '.' }, { 'a/': '' }, 'not normalized: a/'],
    [{ given, home: '.' }, { [`${VARIABLE('HOME')}/x`]: '' }, 'not normalized: $'],
    [{ given, home: './a' }, {}, 'not normalized: ./a'],
    [{ given, home: '.' }, { 'C:\\x': '' }, 'outside the folder: C:\\x'],
    [{ given, home: '.' }, { x: '', X: '' }, 'collide on some file systems: x and X'],
    [{ given, home: '.' }, { '\u00e9': '', 'e\u0301': '' }, 'collide on some file systems'],
    [{ given, home: '.' }, { 'a/b/c': '', a: '' }, 'the parent folder of a file is itself a file: a/b/c'],
    [{ given: { target: ['mcp=node x'] }, home: '.' }, {}, 'without --allow-exec'],
    [{ given: { acp: ['node x'] }, home: '.' }, {}, 'without --allow-exec'],
  ])('%j %j', async (setup, files, fault) => {
    const { io } = memoryIo({ cwd: folder() })
    const place = { allowExec: false, quiet: true, io }
    const made = await prepareTarget({ name: 'x', about, setup, files }, { plan: { trials: 1 } }, () => {}, place)
    expect(made).toEqual({ ok: false, error: expect.stringContaining(fault) })
  })

  test('two names of one file do not get a module past the check', async () => {
    const { io } = memoryIo({ cwd: folder() })
    const module = encoded('globalThis.loadedByPayload = true\nexport const tool = () => 1\n')
    const files = {
      'p.agf.yaml': encoded('{}'),
      './p.agf.yaml': encoded('bindings: { tools: { tool: { module: ./m.mjs } } }'),
      'm.mjs': module,
    }
    const agent = encoded(AGENT)
    for (const project of ['p.agf.yaml', './p.agf.yaml']) {
      const setup = { given: { agent: ['a.agf.yaml'] }, home: '.', project }
      const target = { name: 'x', about, setup, files: { ...files, 'a.agf.yaml': agent } }
      const made = await prepareTarget(target, { plan: { trials: 1 } }, () => {}, { allowExec: false, quiet: true, io })
      expect(made).toEqual({ ok: false, error: expect.stringContaining('not normalized: ./p.agf.yaml') })
    }
    expect(Reflect.get(globalThis, 'loadedByPayload')).toBeUndefined()
  })

  test('scripts of bindings are read from its own folder only, whether or not there is such a file', async () => {
    const elsewhere = folder({ 'secret.yaml': 'private_key: x\n' })
    const { io } = memoryIo({ cwd: folder(), env: { PLACE: elsewhere } })
    const messages: string[] = []
    for (const script of [
      join(elsewhere, 'secret.yaml'),
      join(elsewhere, 'none.yaml'),
      `${VARIABLE('PLACE')}/secret.yaml`,
    ]) {
      const bindings = encoded(JSON.stringify({ bindings: { models: { 'sim/silent': { script } } } }))
      const setup = { given, home: '.', project: 'joust.yaml' }
      const target = { name: 'x', about, setup, files: { 'joust.yaml': bindings } }
      const made = await prepareTarget(target, { plan: { trials: 1 } }, () => {}, { allowExec: true, quiet: true, io })
      messages.push(made.ok ? 'prepared' : made.error)
    }
    for (const message of messages) {
      expect(message).toContain('the path is outside the allowed folder')
      expect(message).not.toMatch(/private_key|no such file|cannot be read/)
    }
  })

  test.each<[string, Partial<RunOptions>]>([
    ['a command', { exec: 'node -e 0' }],
    ['a preset', { exec: 'codex' }],
    ['an agent of the Agent Client Protocol', { acp: 'node -e 0' }],
    ['an MCP server by command', { target: { mcp: 'node -e 0' } }],
  ])('%s is refused where it would start', async (_, options) => {
    const cwd = folder()
    const { io, stderr } = memoryIo({ cwd, env: PATH })
    const confined = { folder: cwd, mayRunCode: false }
    expect((await planTarget(plainTarget(options, cwd), { ...io, confined })).ok).toBe(false)
    expect(stderr.join('')).toContain('without --allow-exec')
  })

  test.each([
    ['a module', 'module: ./m.mjs'],
    ['a tool', 'tools: { tool: { module: ./m.mjs } }'],
    ['a server by command', 'mcp_servers: { desk: { command: node } }'],
  ])('%s of bindings is refused where it would be loaded', async (_, bindings) => {
    const cwd = folder({
      'joust.yaml': `bindings: { ${bindings} }\n`,
      'm.mjs': 'globalThis.loadedByBindings = true\n',
      'a.agf.yaml': agentText({ actions: '{ local_tools: [{ alias: tool, description: A tool. }] }' }),
    })
    const { io, stderr } = memoryIo({ cwd })
    const confined = { ...io, confined: { folder: cwd, mayRunCode: false } }
    const project = await readProject('joust.yaml', true, confined)
    const opened = await openAgent('a.agf.yaml', confined)
    const bound = await bindRuntime(
      { approve: 'none', model: undefined, script: undefined },
      project.ok ? project.value : undefined,
      confined,
      { agent: opened.ok ? opened.value.agent : undefined },
    )
    expect(bound.ok).toBe(false)
    expect(stderr.join('')).toContain('without --allow-exec')
    expect(Reflect.get(globalThis, 'loadedByBindings')).toBeUndefined()
  })

  test.each([[[]], [['--allow-unproven']]])('it proves the attacks that it runs (%j)', async (words) => {
    const { io } = memoryIo({ cwd: folder() })
    const given = { model: ['sim/cautious'], inProcess: [], ...(words.length > 0 && { allowUnproven: [] }) }
    const target = { name: 'x', about, setup: { given, home: '.' }, files: {} }
    const made = await prepareTarget(target, { plan: { trials: 1 } }, () => {}, { allowExec: false, quiet: true, io })
    if (!made.ok) throw new Error(made.error)
    const known = async (text: string) => {
      const attack = load(text)
      if (!attack.ok) throw new Error(JSON.stringify(attack.error))
      const run = { file: 'a', attack: attack.value, arm: 'attack', trial: 1, spend: () => {} } as const
      return (await made.value.run(run)).known
    }
    const allowed = words.length > 0 ? { allow_unproven: true } : {}
    expect(await known(SERVER)).toEqual({ proven: 'simulation', ...allowed })
    expect(await known(SERVER.replace('contains: stranger', 'contains: elsewhere'))).toEqual({
      proven: 'no',
      ...allowed,
    })
  })

  test('why it leaves a target holds no value of its environment', async () => {
    const { io } = memoryIo({ cwd: folder(), env: { PLACE: 'plain words' } })
    const setup = { given: { target: [`ag_ui=${VARIABLE('PLACE')}`] }, home: '.', project: 'joust.yaml' }
    const place = { allowExec: true, quiet: true, io }
    const brought = { 'joust.yaml': encoded('{}') }
    const made = await prepareTarget(
      { name: 'x', about, setup, files: brought },
      { plan: { trials: 1 } },
      () => {},
      place,
    )
    expect(made.ok || made.error).toMatch(/ag_ui/)
    expect(JSON.stringify(made)).not.toContain('plain words')
  })
})
