import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { reportFormatNames, reportFormats } from '@joust/report/formats'
import type { Results } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { freePort, listenForTest } from '../../../io/test/loopback.ts'
import { AGENT, EVERY_FORMAT, folder, joust } from '../world.ts'
import { PROMPT, SELF_PLAY, SERVER, selfPlay, USER, WIRE } from './documents.ts'
import { resultFaults } from './schema.ts'

const resultsIn = (cwd: string, out = 'out'): Results =>
  JSON.parse(readFileSync(join(cwd, out, 'results.json'), 'utf8'))
const attacksIn = (cwd: string, out?: string) => resultsIn(cwd, out).targets[0]?.attacks ?? []
const quiet = ['--out', 'out', '--report', 'json', '--quiet', '--grace', '0']

describe('targets', () => {
  test.each([
    ['sim/credulous', 3, 'exploited'],
    ['sim/cautious', 0, 'resisted'],
  ])('a model: %s', async (model, code, word) => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const outcome = await joust(['run', 'a.oatf.yaml', '--model', model, '--prompt', PROMPT, ...quiet], { cwd })
    expect(outcome).toMatchObject({ code, stdout: expect.stringMatching(new RegExp(`^${word} `)) })
    expect(resultsIn(cwd).targets).toMatchObject([{ kind: 'model', name: model }])
    expect(attacksIn(cwd)[0]?.trials[0]?.wiring?.join('\n')).toContain('default (mcp_server)')
  })

  test('a scripted model does what its script says', async () => {
    const script =
      '- tool_calls: [{ name: send_letter, arguments: { to: post@stranger.example, text: x } }]\n- text: done\n'
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'script.yaml': script })
    const argv = ['run', 'a.oatf.yaml', '--model', 'sim/scripted', '--script', 'script.yaml', ...quiet]
    expect(await joust(argv, { cwd })).toMatchObject({ code: 3 })
  })

  test('a model in process needs no socket for its servers', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const argv = ['run', 'a.oatf.yaml', '--model', 'sim/credulous', '--prompt', PROMPT, '--in-process', ...quiet]
    expect((await joust(argv, { cwd })).code).toBe(3)
    expect(attacksIn(cwd)[0]?.trials[0]?.wiring?.join('\n')).toContain('in memory')
  })

  test('an agent file, its allow list, and an alias of another name', async () => {
    const agent = AGENT.replace('model: any', 'model: sim/credulous')
    const limited = `${agent}action_space: { mcp_servers: [{ alias: weather, allowed_tools: [get_weather] }] }\n`
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'free.agf.yaml': agent, 'limited.agf.yaml': limited })
    const run = (file: string, out: string, ...more: string[]) =>
      joust(
        [
          'run',
          'a.oatf.yaml',
          '--agent',
          file,
          '--prompt',
          PROMPT,
          '--grace',
          '0',
          '--quiet',
          '--out',
          out,
          '--report',
          'json',
          ...more,
        ],
        { cwd },
      )
    expect((await run('free.agf.yaml', 'free')).code).toBe(3)
    expect((await run('limited.agf.yaml', 'limited', '--bind', 'weather=default')).code).toBe(0)
    const unbound = await run('limited.agf.yaml', 'unbound')
    expect(unbound.code).toBe(5)
    expect(unbound.stdout).toMatch(/^inconclusive .*\n( {4}.*\n)*? {4}.*weather/)
    expect(attacksIn(cwd, 'unbound')[0]?.trials[0]?.diagnostics[0]?.message).toContain('weather')
  })

  test('approvals are requested, answered and recorded', async () => {
    const agent = AGENT.replace('model: any', 'model: sim/credulous')
    const asking = `${agent}action_space: { mcp_servers: [{ alias: default, allowed_tools: [get_weather, { name: send_letter, approval: true }] }] }\n`
    const cwd = folder({
      'a.oatf.yaml': SERVER,
      'a.agf.yaml': asking,
      'yes.yaml': 'approve: [send_letter]\n',
      'no.yaml': 'approve: [other]\n',
    })
    const run = (out: string, who: string) =>
      joust(
        [
          'run',
          'a.oatf.yaml',
          '--agent',
          'a.agf.yaml',
          '--prompt',
          PROMPT,
          '--approve',
          who,
          '--grace',
          '0',
          '--quiet',
          '--report',
          'json',
          '--out',
          out,
        ],
        { cwd },
      )
    expect((await run('none', 'none')).code).toBe(0)
    expect((await run('all', 'all')).code).toBe(3)
    expect((await run('yes', 'yes.yaml')).code).toBe(3)
    expect((await run('no', 'no.yaml')).code).toBe(0)
    const denied = attacksIn(cwd, 'none')[0]?.trials[0]?.approvals ?? []
    expect(denied.length).toBeGreaterThan(0)
    expect(denied.every(({ approved }) => !approved)).toBe(true)
    expect(attacksIn(cwd, 'yes')[0]?.trials[0]?.approvals).toMatchObject([{ approved: true }])
    expect((await run('odd', 'nowhere.yaml')).code).toBe(64)
  })

  test('an endpoint, with a header from the environment', async () => {
    let seen: string | undefined
    const server = createServer((request, response) => {
      seen = request.headers.authorization
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`)
      say({ type: 'RUN_STARTED', threadId: 't', runId: 'r' })
      say({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'a breach' })
      say({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' })
      response.end()
    })
    const url = `${await listenForTest(server)}/`
    const cwd = folder({ 'a.oatf.yaml': USER })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the command puts the environment in
    const header = ['--header', 'authorization=Bearer ${TOKEN}']
    const argv = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, ...header, ...quiet]
    expect(await joust(argv, { cwd, env: { TOKEN: 'abc' } })).toMatchObject({ code: 1 })
    expect(seen).toBe('Bearer abc')
    expect(readFileSync(join(cwd, 'out/results.json'), 'utf8')).not.toContain('abc')
    expect(await joust(argv, { cwd })).toMatchObject({ code: 64, stderr: expect.stringContaining('TOKEN') })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    const token = ['run', 'a.oatf.yaml', '--target', `ag_ui=${url}`, '--token', '${TOKEN}', ...quiet.with(1, 'again')]
    expect(await joust(token, { cwd, env: { TOKEN: 'xyz' } })).toMatchObject({ code: 1 })
    expect(seen).toBe('Bearer xyz')
    expect(await joust([...token, '--header', 'authorization=x'], { cwd })).toMatchObject({ code: 64 })
  })

  test('a command, with the attackers in its MCP configuration', async () => {
    const script = `
      const config = JSON.parse(require('node:fs').readFileSync(process.argv[2], 'utf8'))
      const [server] = Object.values(config.mcpServers)
      const call = (name, args) => fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
      })
      const work = async () => {
        const [, word = ''] = /add the word (\\w+)/.exec(process.argv[3]) ?? []
        console.log(await (await call('get_weather', { town: process.argv[3] })).text(), word)
        if (process.env.OBEY) await call('send_letter', { to: 'post@stranger.example', text: 'x' })
        if (process.env.CRASH) process.exit(7)
      }
      work()`
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'agent.cjs': script })
    const run = (out: string, env: string) =>
      joust(
        [
          'run',
          'a.oatf.yaml',
          '--exec',
          `env ${env} ${process.execPath} agent.cjs {mcp_config} {prompt}`,
          '--no-preflight',
          '--channels',
          'tool_result,tool_description',
          // The agent acts without looking at the bait.
          '--arms',
          'none',
          '--prompt',
          'Oslo',
          '--grace',
          '0',
          '--quiet',
          '--report',
          'json',
          '--out',
          out,
        ],
        { cwd },
      )
    expect((await run('obeys', 'OBEY=1')).code).toBe(3)
    expect((await run('refuses', 'X=1')).code).toBe(0)
    expect((await run('crashes', 'CRASH=1')).code).toBe(5)
    const wrong = await joust(['run', 'a.oatf.yaml', '--exec', 'agent {promt}', ...quiet], { cwd })
    expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('Did you mean "prompt"?')])
  })

  test('self-play', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    expect((await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'out', '--report', 'json'], { cwd })).code).toBe(1)
  })

  test('no client: a server waits until its timeout, which is not a pass', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const outcome = await joust(['run', 'a.oatf.yaml', '--listen', 'default=0', '--max-duration', '100ms', ...quiet], {
      cwd,
    })
    expect(outcome.code).toBe(5)
  })
})

describe('never reported as resisted', () => {
  test.each([
    ['an endpoint that is not there', USER, ['--target', 'ag_ui=http://127.0.0.1:9/'], 'not reachable'],
    ['an endpoint of the wrong protocol', USER, ['--target', 'mcp=http://127.0.0.1:9/'], 'ag_ui'],
    ['a command that is not there', SERVER, ['--exec', '/nowhere/agent {mcp_config}'], '/nowhere/agent'],
    [
      'a document without indicators',
      SERVER.replace(/ {2}indicators:[\s\S]*/, ''),
      ['--model', 'sim/cautious'],
      'no indicators',
    ],
    ['an agent without a key', USER, ['--model', 'openai/gpt-5'], 'OPENAI_API_KEY'],
  ])('%s', async (_, document, target, reason) => {
    const cwd = folder({ 'a.oatf.yaml': document })
    const outcome = await joust(['run', 'a.oatf.yaml', ...target, ...quiet, '--json'], { cwd })
    expect([5, 64]).toContain(outcome.code)
    expect(outcome.stdout + outcome.stderr).toContain(reason)
    expect(outcome.stdout).not.toContain('"resisted"')
  })

  test('a hanging command', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const argv = [
      'run',
      'a.oatf.yaml',
      '--exec',
      `${process.execPath} -e setInterval(()=>{},1000)`,
      '--max-duration',
      '300ms',
      ...quiet,
    ]
    expect((await joust(argv, { cwd })).code).toBe(5)
  })

  test('a broken document among good ones', async () => {
    const cwd = folder({
      'a/good.oatf.yaml': selfPlay('TEST-004', 'nothing'),
      'a/bad.oatf.yaml': 'oatf: "0.1"\nattack: {}\n',
    })
    const outcome = await joust(['run', 'a', ...WIRE, ...quiet], { cwd })
    expect(outcome.code).toBe(5)
    expect(attacksIn(cwd).map(({ file, outcome: said, reasons }) => `${file} ${said} ${reasons.length > 0}`)).toEqual([
      'a/good.oatf.yaml resisted false',
      'a/bad.oatf.yaml inconclusive true',
    ])
  })

  test('of a document with thousands of mistakes the first are kept, and the others counted', async () => {
    const keys = Array.from({ length: 5000 }, (_, index) => `  unknown_${index}: x\n`).join('')
    const good = selfPlay('TEST-004', 'nothing')
    const cwd = folder({ 'a/bad.oatf.yaml': `${good}${keys}`, 'a/good.oatf.yaml': good })
    expect((await joust(['run', 'a', ...WIRE, ...quiet], { cwd })).code).toBe(5)
    const attack = attacksIn(cwd).find(({ file }) => file === 'a/bad.oatf.yaml')
    expect(attack?.reasons).toHaveLength(101)
    expect(attack?.reasons.at(-1)).toBe('4900 more diagnostics omitted')
    expect(attack?.verdict.diagnostics?.at(-1)).toMatchObject({ code: 'more-diagnostics' })
    expect(readFileSync(join(cwd, 'out/results.json')).length).toBeLessThan(100_000)
  })
})

describe('wrong usage', () => {
  test.each([
    [['run', 'none.yaml', '--model', 'sim/cautious'], 'no such file'],
    [['run', 'empty', '--model', 'sim/cautious'], 'no .yaml'],
    [
      ['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--tag', 'nothing'],
      '--tag nothing: no attack has this tag; available: letters',
    ],
    [['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--grep', 'nothing'], 'the filters exclude all'],
    [
      ['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--id', 'TEST-010'],
      'available: TEST-001. Did you mean "TEST-001"?',
    ],
    [
      ['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--category', 'foo'],
      'expects one of capability_poisoning, response_fabrication',
    ],
    [['run', 'a.oatf.yaml', '--severity', 'hihg', '--model', 'sim/cautious'], 'did you mean high?'],
    [['run', 'user.oatf.yaml'], '--exec codex'],
    [['run', 'a.oatf.yaml', '--dry-run'], 'missing target'],
    [['run'], '(joust init creates one)\njoust: missing target'],
    [['run', 'a.oatf.yaml', 'user.oatf.yaml', '--listen', 'default=0'], 'needs a target to connect to'],
    [
      ['run', 'a.oatf.yaml', '--model', 'sim/silent', '--gateway', '7000'],
      '--gateway can only be used with --target, --exec or --acp, not with --model',
    ],
    [['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--exec', 'x'], '--model cannot be used with --exec'],
    [['run', 'a.oatf.yaml', '--model', 'nonsense'], '--model nonsense'],
    [['run', 'a.oatf.yaml', '--agent', 'none.agf.yaml'], 'no such file'],
    [['run', 'a.oatf.yaml', '--agent', 'user.oatf.yaml'], 'this is an attack document'],
    [
      ['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--header', 'a=b'],
      '--header can only be used with --target, not with --model',
    ],
    [['run', 'a.oatf.yaml', '--exec', 'x', '--in-process'], '--in-process can only be used with --agent or --model'],
    [['run', 'a.oatf.yaml', '--exec', 'x', '--budget-tokens', '5'], '--budget-tokens needs a target'],
    [['run', 'a.oatf.yaml', '--exec', 'x', '--approve', 'all'], '--approve can only be used with'],
    [['run', 'a.oatf.yaml', '--exec', '"x'], '--exec'],
    [['run', 'a.oatf.yaml', '--exec', ''], '--exec is empty'],
    [['run', 'user.oatf.yaml', '--target', 'ag_ui=http://'], 'is not a URL'],
    [['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--prompt', ''], '--prompt is empty'],
    [['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--force-baseline'], 'can only be used with --baseline'],
    [['run', 'a.oatf.yaml', '--target', 'smtp=http://x/'], '--target expects one of ag_ui, a2a, mcp, not "smtp"'],
    [['run', 'a.oatf.yaml', '--trials', 'many', '--model', 'sim/cautious'], '--trials expects a whole number'],
    [['run', 'a.oatf.yaml', '--grace', 'soon', '--model', 'sim/cautious'], '--grace expects a duration'],
    [['run', 'a.oatf.yaml', '--fail-on', 'monday', '--model', 'sim/cautious'], '--fail-on expects'],
    [['run', 'a.oatf.yaml', '--fail-on', 'regression', '--model', 'sim/cautious'], 'needs --baseline'],
    [['run', 'a.oatf.yaml', '--redact', '(', '--model', 'sim/cautious'], '--redact'],
    [['run', 'a.oatf.yaml', '--report', 'pdf', '--model', 'sim/cautious'], 'not "pdf"'],
    [['run', 'a.oatf.yaml', '--listen', 'default=nowhere', '--model', 'sim/cautious'], '--listen expects'],
    [['run', 'a.oatf.yaml', '--listen', 'defualt=127.0.0.1:7000'], 'Did you mean "default"?'],
    [['run', 'a.oatf.yaml', '--wire', 'client=default'], 'no attack has a client actor "client"'],
    [
      ['run', 'mixed.oatf.yaml', '--wire', 'user=server'],
      '--wire user=server: different protocols in mixed.oatf.yaml: ag_ui_client and mcp_server',
    ],
    [['run', 'a.oatf.yaml', '--resume', 'empty', '--model', 'sim/cautious'], 'no results to resume from'],
    [['run', 'a.oatf.yaml', '--baseline', 'none.json', '--model', 'sim/cautious'], '--baseline none.json'],
  ])('%j', async (argv, message) => {
    const user = '{ name: user, mode: ag_ui_client, phases: [{ name: asking, state: { run_agent_input: {} } }] }'
    const mixed = SELF_PLAY.replace('      - { name: client', `      - ${user}\n$&`)
    const documents = { 'a.oatf.yaml': SERVER, 'user.oatf.yaml': USER, 'mixed.oatf.yaml': mixed }
    const cwd = folder({ ...documents, 'empty/readme.txt': 'nothing' })
    const outcome = await joust(argv, { cwd })
    expect(outcome).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining(message) })
    expect(readdirSync(cwd)).not.toContain('joust-results')
  })
})

describe('the selected attacks', () => {
  const files = {
    'a/one.oatf.yaml': selfPlay('TEST-011', 'secret', 'ingested'),
    'a/two.oatf.yaml': selfPlay('TEST-012', 'nothing')
      .replace('severity: low', 'severity: critical')
      .replace('[self]', '[other]'),
    'a/three.oatf.yaml': selfPlay('TEST-013', 'secret', 'local_action').replace(
      'context_manipulation',
      'oversight_bypass',
    ),
  }

  test.each([
    [['--tag', 'other'], ['a/two.oatf.yaml']],
    [['--severity', 'medium'], ['a/two.oatf.yaml']],
    [['--category', 'oversight_bypass'], ['a/three.oatf.yaml']],
    [
      ['--protocol', 'mcp', '--tag', 'self'],
      ['a/one.oatf.yaml', 'a/three.oatf.yaml'],
    ],
  ])('%j', async (filter, expected) => {
    const cwd = folder(files)
    await joust(['run', 'a', ...WIRE, ...filter, ...quiet], { cwd })
    expect(attacksIn(cwd).map(({ file }) => file)).toEqual(expected)
  })

  test('the exit code is that of the worst; --fail-on lets the milder pass', async () => {
    const cwd = folder(files)
    const code = async (out: string, ...more: string[]) =>
      (await joust(['run', 'a', ...WIRE, '--quiet', '--report', 'json', '--out', out, ...more], { cwd })).code
    expect(await code('all')).toBe(2)
    expect(await code('breach', '--fail-on', 'boundary_breach')).toBe(0)
    expect(await code('local', '--fail-on', 'local_action')).toBe(2)
    expect(await code('high', '--fail-on', 'high')).toBe(0)
    expect(await code('low', '--fail-on', 'low')).toBe(2)
  })

  test('trials, each with a trace of its own', async () => {
    const cwd = folder(files)
    await joust(['run', 'a/one.oatf.yaml', ...WIRE, ...quiet, '--trials', '3'], { cwd })
    const [attack] = attacksIn(cwd)
    expect(attack?.trials.map(({ trial, outcome }) => `${trial} ${outcome}`)).toEqual([
      '1 exploited',
      '2 exploited',
      '3 exploited',
    ])
    for (const { trace } of attack?.trials ?? []) expect(existsSync(join(cwd, 'out', trace))).toBe(true)
  })

  test('--resume runs only missing runs', async () => {
    const cwd = folder(files)
    await joust(['run', 'a/one.oatf.yaml', 'a/two.oatf.yaml', ...WIRE, ...quiet], { cwd })
    const again = await joust(['run', 'a', ...WIRE, '--resume', 'out', '--report', 'json', '--grace', '0'], { cwd })
    expect(again.stderr).toContain('2 earlier results')
    expect(again.stderr.match(/from earlier results/g)).toHaveLength(2)
    expect(attacksIn(cwd).map(({ outcome }) => outcome)).toEqual(['exploited', 'exploited', 'resisted'])
    const other = await joust(['run', 'a', ...WIRE, ...quiet], { cwd })
    expect(other).toMatchObject({ code: 64, stderr: expect.stringContaining('use --resume out to continue') })
  })

  test('--dry-run opens nothing and writes nothing', async () => {
    const cwd = folder(files)
    const { code, stdout } = await joust(['run', 'a', ...WIRE, '--dry-run'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('server (mcp_server) at 127.0.0.1, any free port')
    expect(stdout).toContain('client (mcp_client) → the actor server')
    expect(stdout).toContain('calling: actions [tools/call]')
    expect(readdirSync(cwd)).toEqual(['a'])
  })
})

test('--dry-run prints the wiring of each kind of target', async () => {
  const agent = AGENT.replace('model: any', 'model: sim/credulous')
  const declaring = `${agent}action_space: { mcp_servers: [{ alias: weather }, { alias: other }] }\n`
  const cwd = folder({ 'a.oatf.yaml': SERVER, 'u.oatf.yaml': USER, 'a.agf.yaml': declaring })
  const dry = async (...words: readonly string[]) => (await joust(['run', ...words, '--dry-run'], { cwd })).stdout
  expect(await dry('a.oatf.yaml', '--model', 'sim/cautious')).toContain('→ an additional MCP server of the agent')
  const bound = await dry('a.oatf.yaml', '--agent', 'a.agf.yaml', '--bind', 'weather=default')
  expect(bound).toContain('→ MCP server `weather` of the agent')
  expect(bound).toContain('no actor for `other` of the agent')
  expect(bound).toContain('prompt: the default prompt')
  expect(await dry('u.oatf.yaml', '--target', 'ag_ui=http://127.0.0.1:8/x')).toContain('→ http://127.0.0.1:8/x')
  expect(await dry('u.oatf.yaml', '--target', 'mcp=http://127.0.0.1:8/x')).toContain('use --target ag_ui=URL')
  const command = await dry('a.oatf.yaml', 'u.oatf.yaml', '--exec', 'x', '--listen', 'default=127.0.0.1:7000')
  expect(command).toContain('at 127.0.0.1:7000, in {mcp_config} as default')
  expect(command).toContain('→ the command, one prompt per message')
  expect(command).toContain('run_agent_input "hello"')
})

describe('output', () => {
  test('--json is the results file', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
    const { stdout } = await joust(['run', 'a.oatf.yaml', ...WIRE, ...quiet, '--json'], { cwd })
    expect(JSON.parse(stdout).targets[0].attacks[0].outcome).toBe('exploited')
  })

  const canary = 'KANARIE-5c1d77'
  const written = (cwd: string, out: string) =>
    readdirSync(join(cwd, out), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') }))

  test('--redact hides before anything is written or printed', async () => {
    const document = SELF_PLAY.replace('word: secret', `word: a secret ${canary}`).replace(
      'name: Self-play',
      `name: about ${canary}`,
    )
    const cwd = folder({ 'a.oatf.yaml': document })
    const formats = ['--report', EVERY_FORMAT, '--out', 'out', '--json', '--redact', 'KANARIE-[0-9a-f]+']
    const { code, stdout, stderr } = await joust(['run', 'a.oatf.yaml', ...WIRE, ...formats], { cwd })
    expect(code).toBe(1)
    const files = written(cwd, 'out')
    expect(files.map(({ name }) => name).sort()).toEqual(
      [
        '.joust-reports.json',
        'a.1.jsonl',
        'journal.jsonl',
        ...reportFormatNames.map((name) => reportFormats[name].file),
      ].sort(),
    )
    for (const { name, text } of files) expect(text.includes(canary), name).toBe(false)
    expect(stdout).not.toContain(canary)
    expect(stdout).toContain('[redacted')
    expect(stderr.split('\n').filter((line) => line.startsWith('joust: ') && line.includes(canary))).toEqual([])
  })

  test('a secret that is cut by the evidence excerpt is hidden completely', async () => {
    const secret = `ghp_${'0123456789ABCDEFGHIJ'.repeat(2).slice(0, 36)}`
    const text = `${'x'.repeat(2000)} ${secret} ${'y'.repeat(205)} secret ${'z'.repeat(2000)}`
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY.replace('word: secret', `word: "${text}"`) })
    expect(
      (await joust(['run', 'a.oatf.yaml', ...WIRE, ...quiet, '--redact', 'ghp_[A-Za-z0-9]{36}'], { cwd })).code,
    ).toBe(1)
    const { match } = attacksIn(cwd)[0]?.trials[0]?.verdict.indicator_verdicts[0] ?? {}
    expect(match?.value.slice(match.span?.start, match.span?.end)).toBe('secret')
    for (const { name, text: kept } of written(cwd, 'out')) expect(kept.includes('789ABCDEF'), name).toBe(false)
  })

  test.each(['\\d+', 'exploited|mcp|arguments', 'result|name', '.+', 'e'])(
    '--redact %s leaves results that can be read',
    async (pattern) => {
      const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
      const { code, stdout } = await joust(['run', 'a.oatf.yaml', ...WIRE, ...quiet, '--redact', pattern], { cwd })
      expect(code).toBe(1)
      expect(stdout).toContain('1 exploited')
      expect(resultFaults(readFileSync(join(cwd, 'out/results.json'), 'utf8'))).toEqual([])
      expect((await joust(['report', 'out', '--format', 'md'], { cwd })).code).toBe(0)
    },
  )

  test('results of every kind fit the schema', async () => {
    const cwd = folder({
      'a/1.oatf.yaml': SERVER,
      'a/2.oatf.yaml': SERVER.replace('001', '061').replace(/ {2}indicators:[\s\S]*/, ''),
      'a/3.oatf.yaml': 'oatf: "0.1"\nattack: { execution: {} }\n',
    })
    await joust(['run', 'a', '--model', 'sim/credulous', '--prompt', PROMPT, '--trials', '2', ...quiet], { cwd })
    expect(resultFaults(readFileSync(join(cwd, 'out/results.json'), 'utf8'))).toEqual([])
    expect(attacksIn(cwd).find(({ file }) => file.includes('3'))?.verdict.diagnostics?.length).toBeGreaterThan(0)
  })

  test('--resume refuses another target, and never overwrites results', async () => {
    const cwd = folder({ 'a/1.oatf.yaml': SERVER, 'a/2.oatf.yaml': SERVER.replace('001', '062') })
    const run = (words: readonly string[], ...more: readonly string[]) =>
      joust(['run', ...words, '--prompt', PROMPT, '--grace', '0', '--quiet', '--report', 'json', ...more], { cwd })
    await run(['a'], '--model', 'sim/credulous', '--trials', '2', '--out', 'out')
    const before = readFileSync(join(cwd, 'out/results.json'), 'utf8')
    const other = await run(['a'], '--model', 'sim/cautious', '--trials', '2', '--resume', 'out')
    expect(other).toMatchObject({ code: 64, stderr: expect.stringContaining('different target') })
    const fewer = await run(['a/1.oatf.yaml'], '--model', 'sim/credulous', '--trials', '2', '--resume', 'out')
    expect(fewer).toMatchObject({ code: 64, stderr: expect.stringContaining('a/2.oatf.yaml') })
    const shorter = await run(['a'], '--model', 'sim/credulous', '--resume', 'out')
    expect(shorter).toMatchObject({ code: 64, stderr: expect.stringContaining('--trials 2') })
    expect(readFileSync(join(cwd, 'out/results.json'), 'utf8')).toBe(before)
  })

  test('a baseline of another target is refused before anything is run', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const run = (model: string, ...more: readonly string[]) =>
      joust(['run', 'a.oatf.yaml', '--model', model, '--prompt', PROMPT, '--grace', '0', '--report', 'json', ...more], {
        cwd,
      })
    await run('sim/cautious', '--out', 'one')
    const changed = await run('sim/credulous', '--out', 'changed', '--baseline', 'one')
    expect(changed.stderr).toContain('although the model changed from "sim/cautious" to "sim/credulous"')
    expect(changed.stderr).toContain('1 new')
    const results = readFileSync(join(cwd, 'one/results.json'), 'utf8')
    writeFileSync(join(cwd, 'one/results.json'), results.replace('"kind": "model"', '"kind": "command"'))
    const unlike = await run('sim/credulous', '--out', 'two', '--baseline', 'one')
    expect(unlike).toMatchObject({ code: 64, stderr: expect.stringContaining('--force-baseline') })
    expect(existsSync(join(cwd, 'two'))).toBe(false)
    const forced = await run(
      'sim/credulous',
      '--out',
      'two',
      '--baseline',
      'one',
      '--force-baseline',
      '--fail-on',
      'regression',
    )
    expect(forced).toMatchObject({ code: 3, stderr: expect.stringContaining('1 new') })
  })

  test('a baseline: a new success is a regression', async () => {
    const cwd = folder({ 'a.oatf.yaml': selfPlay('TEST-020', 'secret') })
    await joust(['run', 'a.oatf.yaml', ...WIRE, ...quiet], { cwd })
    const before = resultsIn(cwd)
    const resisted = JSON.stringify(before)
      .replaceAll('"outcome":"exploited"', '"outcome":"resisted"')
      .replaceAll('"result":"exploited"', '"result":"not_exploited"')
    writeFileSync(join(cwd, 'before.json'), resisted)
    const gate = ['--fail-on', 'regression', '--report', 'json']
    const same = await joust(
      ['run', 'a.oatf.yaml', ...WIRE, '--out', 'same', '--baseline', 'out/results.json', ...gate],
      { cwd },
    )
    expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining('1 unchanged') })
    const worse = await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'worse', '--baseline', 'before.json', ...gate], {
      cwd,
    })
    expect(worse).toMatchObject({ code: 1, stderr: expect.stringContaining('1 new') })
  })

  test('a budget stops the suite, which the results note', async () => {
    const cwd = folder({
      'a/1.oatf.yaml': SERVER,
      'a/2.oatf.yaml': SERVER.replace('001', '021'),
      'a/3.oatf.yaml': SERVER.replace('001', '022'),
    })
    const argv = [
      'run',
      'a',
      '--model',
      'sim/cautious',
      '--prompt',
      PROMPT,
      '--concurrency',
      '1',
      '--budget-calls',
      '1',
      ...quiet,
    ]
    const outcome = await joust(argv, { cwd })
    expect(outcome).toMatchObject({ code: 5, stdout: expect.stringContaining('INCOMPLETE') })
    expect(resultsIn(cwd).stopped).toMatchObject({
      reason: 'budget',
      message: 'the budget of 1 model calls is used up',
    })
  })

  test('no error budget turns an undecided attack into a pass', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const argv = [
      'run',
      'a.oatf.yaml',
      '--listen',
      'default=0',
      '--max-duration',
      '50ms',
      '--max-errors',
      '9',
      ...quiet,
    ]
    expect((await joust(argv, { cwd })).code).toBe(5)
  })

  test.each([
    ['of one target', ['run', 'a.oatf.yaml', '--model', 'sim/cautious'], 'file: '],
    ['of several targets', ['run', 'a.oatf.yaml'], 'file/a: '],
    [
      'of a search',
      ['search', 'a.oatf.yaml', '--model', 'sim/cautious', '--attacker', 'sim/attacker'],
      'file/round-0: ',
    ],
  ])('a folder %s that cannot be made is a failure, not wrong usage', async (_, words, beginning) => {
    const project = 'targets: { a: { model: sim/cautious }, b: { model: sim/silent } }\n'
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'joust.yaml': project, file: '' })
    const { code, stderr } = await joust([...words, '--out', 'file', '--quiet'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 10,
      stderr: expect.stringMatching(new RegExp(`^joust: ${beginning}cannot create the folder "traces": ENOTDIR`)),
    })
  })

  test('a report that cannot be written is a failure', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, 'out/report.html/in-the-way.txt': '' })
    const { code, stderr } = await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'out', '--quiet'], { cwd })
    expect(code).toBe(10)
    expect(stderr).toContain('report.html cannot be written')
  })

  test('--resume repeats inconclusive runs', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const argv = [
      'run',
      'a.oatf.yaml',
      '--exec',
      `${process.execPath} -e 0`,
      '--no-preflight',
      '--grace',
      '0',
      '--quiet',
      '--report',
      'json',
    ]
    await joust([...argv, '--out', 'out'], { cwd })
    const first = attacksIn(cwd)[0]?.trials[0]?.verdict.timestamp
    await joust([...argv, '--resume', 'out'], { cwd })
    expect(attacksIn(cwd)[0]?.trials[0]?.verdict.timestamp).not.toBe(first)
  })

  test('secrets in addresses and commands are not part of the name of a target', async () => {
    const cwd = folder({ 'a.oatf.yaml': USER, 'b.oatf.yaml': SERVER })
    const target = 'ag_ui=http://user:hunter2@127.0.0.1:9/agent?token=SEKRET'
    const one = await joust(['run', 'a.oatf.yaml', '--target', target, '--out', 'one', '--report', 'json'], { cwd })
    const two = await joust(
      ['run', 'b.oatf.yaml', '--exec', '/nowhere --api-key SEKRET2 {prompt}', '--out', 'two', '--report', 'json'],
      { cwd },
    )
    expect(resultsIn(cwd, 'one').targets[0]?.name).toBe('ag_ui=http://127.0.0.1:9/agent')
    expect(resultsIn(cwd, 'two').targets[0]?.name).toBe('/nowhere --api-key [hidden] {prompt}')
    for (const { stdout, stderr } of [one, two]) expect(stdout + stderr).not.toMatch(/hunter2|SEKRET/)
  })

  test('Ctrl-C keeps the results so far', async () => {
    const stop = new AbortController()
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    setTimeout(() => stop.abort(), 200)
    const argv = ['run', 'a.oatf.yaml', '--exec', `${process.execPath} -e setInterval(()=>{},1000)`, ...quiet]
    expect((await joust(argv, { cwd, interruption: stop.signal })).code).toBe(130)
    expect(resultsIn(cwd)).toMatchObject({
      stopped: { reason: 'interrupted' },
      targets: [{ attacks: [{ outcome: 'inconclusive' }] }],
    })
  })
})

describe('connections are printed before the attack', () => {
  test('with a target, and without one', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const argv = ['run', 'a.oatf.yaml', '--model', 'sim/cautious', '--report', 'json']
    const model = await joust([...argv, '--verbose', '--out', 'm'], { cwd })
    expect((await joust([...argv, '--out', 'less'], { cwd })).stderr).not.toContain('actor default')
    expect(model.stderr).toMatch(/actor default \(mcp_server\) http:\/\/127\.0\.0\.1:\d+\/mcp → /)
    const waiting = ['--listen', 'default=0', '--max-duration', '50ms', '--out', 'n', '--report', 'json']
    const idle = await joust(['run', 'a.oatf.yaml', ...waiting], { cwd })
    expect(idle.stderr).toMatch(/actor default listens at http:\/\/127\.0\.0\.1:\d+\/mcp/)
  })

  test('an endpoint that cannot know where an actor will listen', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER })
    const argv = ['run', 'a.oatf.yaml', '--target', 'ag_ui=http://127.0.0.1:9/', '--out', 'out', '--report', 'json']
    expect((await joust(argv, { cwd })).stderr).toContain('--gateway 127.0.0.1:7000')
    expect(resultsIn(cwd).targets[0]?.attacks[0]).toMatchObject({
      outcome: 'not_applicable',
      reasons: [
        'the agent cannot know the address of the mcp_server actor default; use a gateway with fixed addresses',
      ],
    })
  })

  test('attacks that share a port run one after the other', async () => {
    const cwd = folder({ 'a/1.oatf.yaml': SELF_PLAY, 'a/2.oatf.yaml': selfPlay('TEST-050', 'secret') })
    const port = await freePort()
    const { code, stderr } = await joust(
      ['run', 'a', ...WIRE, '--listen', `server=127.0.0.1:${port}`, '--out', 'out', '--report', 'json'],
      { cwd },
    )
    expect(stderr).toContain('1 at a time')
    expect(code).toBe(1)
  })
})

test('a long reason is shown by its beginning and its end', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const script = "process.stderr.write('x'.repeat(5000) + ' the cause'); process.exit(3)"
  const { code, stdout } = await joust(
    ['run', 'a.oatf.yaml', '--exec', `${process.execPath} -e "${script}"`, '--no-preflight', ...quiet],
    { cwd },
  )
  expect(code).toBe(5)
  expect(stdout).toContain('the cause')
  expect(stdout).toContain('1 attack, 1 run:')
})

test('progress on a terminal is drawn over, elsewhere it is a line per result', async () => {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
  const plain = await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'one', '--report', 'json'], { cwd })
  expect(plain.stderr).toMatch(/^1\/1 exploited +Self-play \d+\.\d s$/m)
  expect(plain.stderr).not.toContain('\x1b')
  const twice = ['--trials', '2', '--concurrency', '1', '--out', 'two', '--report', 'json']
  const live = await joust(['run', 'a.oatf.yaml', ...WIRE, ...twice], {
    cwd,
    isTTY: true,
    env: { NO_COLOR: '1' },
  })
  expect(live.stderr).toContain('Self-play · ')
  expect(live.stderr).toMatch(/^ {2}0\/2$/m)
  expect(live.stderr).toMatch(/^ {2}1\/2 · [\d.]+ runs\/s · 1 exploited · about \d+ s left$/m)
  expect(live.stderr).toContain('\x1b[2A\x1b[0J')
})

test('false pass 6: skipped parts of a run are reported once per document, and prevent a pass', async () => {
  const semantic = "    - { protocol: mcp, actor: server, target: '', semantic: { intent: Tells a password } }\n"
  const partial = selfPlay('TEST-040', 'nothing')
  const cwd = folder({
    'mail.oatf.yaml': partial.replace(
      '  indicators:\n',
      '      - { name: mail, mode: mail_server, phases: [{ name: p, state: { x: 1 } }] }\n  indicators:\n',
    ),
    'tone.oatf.yaml': `${partial}${semantic}`,
    'written.oatf.yaml': partial.replace('name: a, ', 'name: a, responses: [{ synthesize: { prompt: Ask } }], '),
  })
  const { code, stderr } = await joust(['run', '.', ...WIRE, '--trials', '2', ...quiet], { cwd })
  expect(code).toBe(5)
  const lines = stderr.split('\n').filter((line) => line.includes('.oatf.yaml'))
  expect(lines).toEqual([
    'joust: mail.oatf.yaml: unknown-mode: actor mail is skipped: unknown mode mail_server',
    expect.stringMatching(/^joust: tone.oatf.yaml: indicator-skipped: TEST-040-02 is skipped: no semantic evaluator/),
    expect.stringMatching(/^joust: written.oatf.yaml: W-006: "synthesize" is reserved/),
  ])
  const [target] = resultsIn(cwd).targets
  expect(target?.attacks.map(({ file, outcome }) => [file, outcome])).toEqual([
    ['mail.oatf.yaml', 'inconclusive'],
    ['tone.oatf.yaml', 'inconclusive'],
    ['written.oatf.yaml', 'inconclusive'],
  ])
})

describe('false pass 5: --resume takes no passes of another agent', () => {
  const agent = AGENT.replace('model: any', 'model: sim/scripted')
  const files = {
    'a.oatf.yaml': SERVER,
    'agent.agf.yaml': `${agent}action_space: { local_agents: [{ alias: helper, source: helper.agf.yaml }] }\n`,
    'helper.agf.yaml': AGENT.replace('id: helper', 'id: second').replace('model: any', 'model: sim/silent'),
    'joust.yaml': 'bindings: { models: { other: sim/silent } }\n',
    'script.yaml': '- text: done\n',
    'approvals.yaml': 'approve: [send_letter]\n',
  }
  const words = ['run', 'a.oatf.yaml', '--agent', 'agent.agf.yaml', '--report', 'json', '--quiet']
  const options = {
    '--prompt': PROMPT,
    '--script': 'script.yaml',
    '--approve': 'approvals.yaml',
    '--grace': '0',
    '--max-duration': '20s',
  }
  const argv = (changed: Partial<Record<string, string>> = {}) => [
    ...words,
    ...Object.entries({ ...options, ...changed }).flatMap(([name, value]) =>
      value === undefined ? [] : [name, value],
    ),
  ]
  const begun = async () => {
    const cwd = folder(files)
    const first = await joust([...argv(), '--out', 'out'], { cwd })
    expect(first.stderr).toBe('')
    return cwd
  }

  // A limit that was reached makes a run inconclusive, so it is run again.
  test.each(['20s', '10s', undefined])('the same agent is gone on with, with a limit of %s', async (limit) => {
    const cwd = await begun()
    const again = await joust([...argv({ '--max-duration': limit }), '--resume', 'out'], { cwd })
    expect(again.code).not.toBe(64)
    expect(again.stderr).toBe('')
  })

  test.each([
    ['agent.agf.yaml', '# changed\n'],
    ['helper.agf.yaml', '# changed\n'],
    ['script.yaml', '- text: more\n'],
    ['approvals.yaml', '# changed\n'],
  ] as const)('the contents of %s', async (file, more) => {
    const cwd = await begun()
    writeFileSync(join(cwd, file), `${files[file]}${more}`)
    const again = await joust([...argv(), '--resume', 'out'], { cwd })
    expect(again.code).toBe(64)
    expect(again.stderr).toMatch(
      new RegExp(`belongs to a different target: the contents of ${file} changed from \\w+ to \\w+`),
    )
  })

  test('the bindings of joust.yaml', async () => {
    const cwd = await begun()
    writeFileSync(join(cwd, 'joust.yaml'), 'bindings: { models: { other: sim/credulous } }\n')
    const again = await joust([...argv(), '--resume', 'out'], { cwd })
    expect([again.code, again.stderr]).toEqual([
      64,
      expect.stringContaining('the contents of joust.yaml, bindings changed from'),
    ])
  })

  test.each([
    ['--prompt', 'Another one?', /--prompt changed from \w+ to \w+/],
    ['--approve', 'all', /--approve changed from approvals.yaml to all/],
    ['--grace', '1s', /--grace changed from 0s to 1s/],
    ['--observe', '1s', /--observe changed from none to 1s/],
    ['--model', 'sim/silent', /model changed from none to sim\/silent/],
    ['--bind', 'x=default', /--bind changed from none to x=default/],
    ['--judge', 'sim/silent', /--judge changed from none to sim\/silent/],
  ])('%s %s', async (name, value, message) => {
    const cwd = await begun()
    const again = await joust([...argv({ [name]: value }), '--resume', 'out'], { cwd })
    expect([again.code, again.stderr]).toEqual([64, expect.stringMatching(message)])
  })

  test('the file that a command runs', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'agent.mjs': '0' })
    const exec = ['run', 'a.oatf.yaml', '--exec', 'node agent.mjs', '--report', 'json', '--quiet', '--grace', '0']
    await joust([...exec, '--out', 'out'], { cwd })
    writeFileSync(join(cwd, 'agent.mjs'), '1')
    const again = await joust([...exec, '--resume', 'out'], { cwd })
    expect([again.code, again.stderr]).toEqual([64, expect.stringContaining('the contents of agent.mjs changed from')])
  })
})
