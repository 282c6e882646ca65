/** `joust run` with a project file. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Results } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { PROMPT, SELF_PLAY, SERVER, USER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

const VARIABLE = (name: string) => `\${${name}}`

function resultsIn(cwd: string, out = 'out'): Results {
  return JSON.parse(readFileSync(join(cwd, out, 'results.json'), 'utf8'))
}

const naive = `naive: { model: sim/credulous, prompt: "${PROMPT}", in_process: true }`
const wary = `wary: { model: sim/cautious, prompt: "${PROMPT}", in_process: true }`
const matrix = `attacks: attacks
targets:
  ${naive}
  ${wary}
out: out
report: json
grace: "0"
`

describe('without words', () => {
  test('runs every attack on every target of the file and writes one results file', async () => {
    const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SERVER })
    const { code, stdout, stderr } = await joust(['run'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain('joust: using joust.yaml\n')
    expect(stderr).toMatch(/exploited +naive: Weather that asks for a letter/)
    expect(stderr).toMatch(/resisted +wary: Weather that asks for a letter/)
    expect(stdout).toContain('model naive\n')
    const { targets } = resultsIn(cwd)
    expect(targets.map(({ kind, name, details, attacks }) => [kind, name, details, attacks[0]?.outcome])).toEqual([
      ['model', 'naive', { model: 'sim/credulous' }, 'exploited'],
      ['model', 'wary', { model: 'sim/cautious' }, 'resisted'],
    ])
    for (const target of targets)
      expect(existsSync(join(cwd, 'out', target.attacks[0]?.trials[0]?.trace ?? 'none'))).toBe(true)
  })

  test('an address in use is reported before any target is attacked', async () => {
    const taken = new URL(await listenForTest(createServer())).host
    const busy = `busy: { model: sim/cautious, listen: { default: "${taken}" } }`
    const cwd = folder({ 'joust.yaml': matrix.replace(wary, busy), 'attacks/a.oatf.yaml': SERVER })
    const { code, stdout, stderr } = await joust(['run'], { cwd })
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' })
    expect(stderr).toContain(`cannot listen on ${taken}`)
    expect(stderr).not.toContain('exploited')
  })

  test('it is found from a folder below, and its paths are relative to it', async () => {
    const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SERVER, 'deep/er/x': '' })
    const { code, stderr } = await joust(['run', '--on', 'wary'], { cwd: join(cwd, 'deep/er') })
    expect([code, stderr]).toEqual([0, expect.stringContaining('joust: using ../../joust.yaml\n')])
    expect(resultsIn(cwd).targets.map(({ name }) => name)).toEqual(['wary'])
  })

  test('there is no file: what would help', async () => {
    const { code, stderr } = await joust(['run'], { cwd: folder() })
    expect([code, stderr]).toEqual([64, expect.stringContaining('joust init creates one')])
  })
})

describe('the command line takes precedence over the file', () => {
  const files = { 'joust.yaml': `${matrix}trials: 2\n`, 'attacks/a.oatf.yaml': SERVER, 'b.oatf.yaml': SELF_PLAY }

  test('options, attacks, targets', async () => {
    const cwd = folder(files)
    const words = ['run', 'b.oatf.yaml', '--wire', 'client=server', '--trials', '1', '--out', 'other', '--quiet']
    expect((await joust(words, { cwd })).code).toBe(1)
    const { suite, targets } = resultsIn(cwd, 'other')
    expect([suite.trials, targets.map(({ kind }) => kind)]).toEqual([1, ['self-play']])
  })

  test('an option without effect on any target is refused; with effect on one, the others go without it', async () => {
    const cwd = folder({
      ...files,
      'joust.yaml': `${matrix}`.replace('out: out', '  far: { a2a: "http://127.0.0.1:1/" }\nout: out'),
    })
    const refused = await joust(['run', '--on', 'naive', '--header', 'a=b'], { cwd })
    expect(refused).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('target naive: --header can only be used with'),
    })
    const taken = await joust(['run', '--on', 'naive', 'far', '--header', 'a=b', '--dry-run'], { cwd })
    expect(taken.code).toBe(0)
  })

  test('--on: a name that is not there', async () => {
    const { code, stderr } = await joust(['run', '--on', 'warry'], { cwd: folder(files) })
    expect([code, stderr]).toEqual([64, expect.stringContaining('--on: unknown target "warry"; available:')])
    expect(stderr).toContain('did you mean wary?')
  })
})

describe('resuming and comparing', () => {
  test('each target has its own journal', async () => {
    const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SERVER })
    await joust(['run', '--quiet'], { cwd })
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['naive', 'results.json', 'wary'])
    expect((await joust(['run', '--quiet'], { cwd })).stderr).toContain('use --resume out to continue')
    // As if it had been stopped before the second one.
    rmSync(join(cwd, 'out/wary'), { recursive: true })
    const again = await joust(['run', '--resume', 'out'], { cwd })
    expect(again.code).toBe(3)
    expect(again.stderr).toMatch(/naive: Weather that asks for a letter from earlier results/)
    expect(again.stderr).toMatch(/resisted +wary: Weather that asks for a letter \d/)
  })

  test('one of several targets can be gone on with; the others stay as they were', async () => {
    const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SERVER })
    await joust(['run', '--quiet'], { cwd })
    const before = resultsIn(cwd)
    const { code, stderr } = await joust(['run', '--resume', 'out', '--on', 'wary', '--trials', '2'], { cwd })
    expect([code, stderr]).toEqual([3, expect.stringContaining('1 earlier result')])
    const [naive, wary] = resultsIn(cwd).targets
    expect(naive).toEqual(before.targets[0])
    expect(wary?.attacks[0]?.trials.map(({ trace }) => trace)).toEqual([
      'wary/traces/attacks-a.1.jsonl',
      'wary/traces/attacks-a.2.jsonl',
    ])
  })

  test('a baseline of the matrix serves a run of one of its targets', async () => {
    const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SERVER })
    await joust(['run', '--quiet'], { cwd })
    const argv = ['run', '--on', 'naive', '--out', 'new', '--baseline', 'out', '--fail-on', 'regression']
    const { code, stderr } = await joust(argv, { cwd })
    expect([code, stderr]).toEqual([0, expect.stringContaining('compared with the baseline: 1 unchanged')])
  })

  test('the summary compares with the baseline and lists what got worse', async () => {
    const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SERVER })
    await joust(['run', '--quiet', '--on', 'wary', '--out', 'before'], { cwd })
    const argv = ['run', '--on', 'naive', '--out', 'new', '--baseline', 'before', '--force-baseline', '--report', 'md']
    await joust(argv, { cwd })
    expect(readFileSync(join(cwd, 'new/summary.md'), 'utf8')).toMatch(
      /^\*\*Against the baseline: 1 new\*\*\n\nCompared with the baseline even though `the model changed from .*`\.\n[\s\S]*\n- new: `Weather that asks for a letter`, 0\/1 → 1\/1\n\n## Joust: /,
    )
  })
})

describe('errors in the file', () => {
  const faultsOf = async (text: string, env = {}) => {
    const cwd = folder({ 'joust.yaml': text, 'a.oatf.yaml': SERVER })
    const { code, stderr } = await joust(['run', 'a.oatf.yaml', '--quiet'], { cwd, env })
    expect(code).toBe(64)
    return stderr
  }

  test.each([
    ['trails: 2\n', 'joust.yaml:1:1  error project  unknown field "trails". Did you mean "trials"?'],
    ['budget: {}\n', 'joust.yaml:1:9  error project  budget has no effect without tokens or calls or time'],
    [
      'targets:\n  a: { exec: x, model_proxy: {} }\n',
      'joust.yaml:2:30  error project  model_proxy has no effect without env or upstream or listen',
    ],
    ['trials: many\n', 'joust.yaml:1:9  error project  expected a whole number'],
    ['max_duration: soon\n', 'joust.yaml:1:15  error project  max_duration expects a duration such as'],
    ['redact: ["("]\n', 'joust.yaml:1:9  error project  redact "("'],
    ['no_preflight: true\n', 'joust.yaml:1:1  error project  "no_preflight" belongs to a target, below "targets"'],
    [
      'targets:\n  a: { model: x, trials: 2 }\n',
      'joust.yaml:2:18  error project  "trials" applies to all targets, so it belongs at the top of the file',
    ],
    ['targets:\n  a: { modle: x }\n', 'joust.yaml:2:8  error project  unknown field "modle". Did you mean "model"?'],
    [
      'targets:\n  a: { exec: agent, http: { url: http://127.0.0.1:9/ } }\n',
      'joust.yaml:2:8  error project  a target cannot have both http and exec; split it into two targets',
    ],
    ['targets:\n  a: { exec: "cat {promt}" }\n', '--exec: unknown placeholder {promt}; available: {prompt}'],
    [
      'targets:\n  a: { http: { url: http://127.0.0.1:9/, body: { q: "{promt}" } } }\n',
      'http: unknown placeholder {promt}; did you mean {prompt}?',
    ],
    [
      'targets:\n  a: { http: { url: http://127.0.0.1:9/, body: { m: "{messages}" }, message: { r: "{rol}" } } }\n',
      'http.message: unknown placeholder {rol}; did you mean {role}?',
    ],
    [
      'targets:\n  a: { http: { url: http://127.0.0.1:9/, body: { m: "{prompt}" }, message: { r: "{role}" } } }\n',
      'http.message has no effect without {messages}',
    ],
    [
      'targets:\n  a: { http: { url: http://127.0.0.1:9/, body: { m: "{prompt}" }, poll: { url: "http://127.0.0.1:9/{id}", until: done } } }\n',
      'http.poll.url: unknown placeholder {id}; to use a value from the first response, write {response.id}',
    ],
    ['targets:\n  a: { exec: cat, carries: history }\n', '--carries can only be used with --json-lines'],
    ['targets:\n  a: {}\n', 'joust.yaml:2:3  error project  a target needs one of module, http, agent'],
    ['targets:\n  a: { model: x, headers: { a: b } }\n', 'joust.yaml:2:18  error project  unknown field "headers"'],
    ['targets:\n  a: { model: sim/silent, approve: no.yaml }\n', '--approve no.yaml: no such file'],
    ['targets:\n  a: { http: { url: ftp://x } }\n', 'http.url: expected http://'],
    ['a: [\n', 'joust.yaml:1:4  error syntax  this [ is not closed'],
  ])('%j', async (text, message) => {
    expect(await faultsOf(text)).toContain(message)
  })

  test('a variable before a command, which only a shell knows', async () => {
    const text = await faultsOf('targets:\n  a: { exec: "KEY=value agent {prompt}" }\n')
    expect(text).toContain(
      '--exec: the command is not run by a shell, so it cannot begin with KEY=…; set KEY and use --pass-env KEY',
    )
  })

  test('a program that is not there, by a name that is nearly known', async () => {
    const text = await faultsOf('targets:\n  a: { exec: codexx }\n', { PATH: '/nowhere' })
    expect(text).toContain('--exec codexx: program not found on PATH. Did you mean "codex"?')
  })

  test('a variable that is not set, of the targets that are wanted only', async () => {
    const text = `targets:\n  a: { ag_ui: "http://127.0.0.1/${VARIABLE('PLACE')}" }\n  b: { model: sim/silent }\n`
    const stderr = await faultsOf(text)
    expect(stderr).toContain('joust.yaml:2:15  error project  the environment variable PLACE is not set')
    const cwd = folder({ 'joust.yaml': text, 'a.oatf.yaml': SERVER })
    expect((await joust(['run', 'a.oatf.yaml', '--on', 'b', '--quiet', '--grace', '0'], { cwd })).code).not.toBe(64)
  })

  test('a variable at the top', async () => {
    expect(await faultsOf(`baseline: ${VARIABLE('OLD')}\n`)).toContain('the environment variable OLD is not set')
  })
})

test('values from the environment are never printed', async () => {
  const secret = 'hush-hush-0815'
  const text = `targets:
  far: { ag_ui: "http://127.0.0.1:1/${VARIABLE('KEY')}", headers: { authorization: "Bearer ${VARIABLE('KEY')}" } }
`
  const cwd = folder({ 'joust.yaml': text, 'a.oatf.yaml': USER })
  for (const more of [['--dry-run'], ['--out', 'out', '--grace', '0', '--max-duration', '5s']]) {
    const { stdout, stderr } = await joust(['run', 'a.oatf.yaml', ...more], { cwd, env: { KEY: secret } })
    expect(stdout + stderr).not.toContain(secret)
  }
  for (const name of readdirSync(join(cwd, 'out'), { recursive: true, withFileTypes: true }))
    if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name), 'utf8')).not.toContain(secret)
})

test('actors of a document are wired to each other beside a target', async () => {
  const cwd = folder({ 'joust.yaml': matrix, 'attacks/a.oatf.yaml': SELF_PLAY })
  const { code, stdout } = await joust(['run', '--on', 'wary', '--wire', 'client=server', '--dry-run'], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringContaining('client (mcp_client) → the actor server')])
  await joust(['run', '--on', 'wary', '--wire', 'client=server', '--quiet'], { cwd })
  const [target] = resultsIn(cwd).targets
  expect([target?.kind, target?.attacks[0]?.outcome]).toEqual(['model', 'exploited'])
})

describe('a command', () => {
  const agent = `import { writeFileSync } from 'node:fs'
const said = process.env.WORD ?? 'nothing'
writeFileSync('seen.json', JSON.stringify(process.argv.slice(2)))
process.stdout.write(JSON.stringify({ reply: said + ' ' + process.argv.slice(2).join('|') }))
`
  const files = (target: string, more = '') => ({
    'joust.yaml': `attacks: a.oatf.yaml\ntargets:\n  mine: ${target}\nout: out\ngrace: "0"\nreport: json\n${more}`,
    'a.oatf.yaml': USER,
    'bin/agent.mjs': agent,
  })
  const answerOf = async (cwd: string) => {
    await joust(['run', '--quiet'], { cwd, env: { PATH: process.env.PATH, KEY: 'breach-0815' } })
    return resultsIn(cwd).targets[0]?.attacks[0]?.trials[0]
  }

  test('its words as a list, its variables, the path to its answer', async () => {
    const node = JSON.stringify(process.execPath)
    const target = `{ exec: [${node}, bin/agent.mjs, "a b", 'c"d', "{prompt}"], answer_path: reply, env: { WORD: hi } }`
    expect((await answerOf(folder(files(target))))?.answer).toBe('hi a b|c"d|hello')
  })

  test('a value of the environment stays one word in a list and in quotes', async () => {
    const words = `["bin/agent.mjs", "${VARIABLE('PART')}", "x${VARIABLE('PART')}"]`
    const node = JSON.stringify(process.execPath)
    const list = words.replace('[', `[${node}, `)
    const text = `'${process.execPath} bin/agent.mjs "${VARIABLE('PART')}" "x${VARIABLE('PART')}"'`
    for (const exec of [list, text]) {
      const cwd = folder(files(`{ exec: ${exec}, answer_path: reply }`))
      expect((await joust(['run', '--dry-run'], { cwd, env: { PART: 'a' } })).code).toBe(0)
      await joust(['run', '--quiet'], { cwd, env: { PATH: process.env.PATH, PART: 'a "b\\" c' } })
      expect(readFileSync(join(cwd, 'seen.json'), 'utf8')).toBe(JSON.stringify(['a "b\\" c', 'xa "b\\" c']))
    }
  })

  test('environment values reach the target and are hidden in its output', async () => {
    const target = `{ exec: "${process.execPath} bin/agent.mjs", env: { WORD: "${VARIABLE('KEY')}" } }`
    const trial = await answerOf(folder(files(target)))
    expect(trial?.outcome).toBe('exploited')
    expect(trial?.answer).not.toContain('breach-0815')
  })

  test('presets of the file are listed and shown', async () => {
    const own = 'presets:\n  mine: { command: [agent, "{prompt}"], tried: "2" }\n  codex: { command: [own-codex] }\n'
    const cwd = folder({ 'joust.yaml': own })
    const { stdout } = await joust(['presets', 'list'], { cwd })
    expect(stdout).toMatch(/^mine +tested with 2 +from joust\.yaml\ncodex +not tested +from joust\.yaml\nopencode /)
    expect((await joust(['presets', 'show', 'codex'], { cwd })).stdout).toContain('own-codex')
    expect((await joust(['presets', 'show', 'mind'], { cwd })).stderr).toContain('did you mean mine?')
  })

  test('a preset of the file', async () => {
    const command = `[${JSON.stringify(process.execPath)}, "{env.AGENT}", "{prompt}"]`
    const preset = `presets:\n  ours: { command: ${command}, env: { WORD: breach }, answer: reply }\n`
    const cwd = folder(files('{ exec: ours }', preset.replace('{env.AGENT}', 'bin/agent.mjs')))
    const faulty = folder(files('{ exec: ours }', 'presets:\n  ours: { comand: [x] }\n'))
    expect((await joust(['run', '--dry-run'], { cwd })).stdout).toContain('target: command mine')
    const { code, stderr } = await joust(['run'], { cwd: faulty })
    expect([code, stderr]).toEqual([64, expect.stringContaining('unknown field "comand". Did you mean "command"?')])
  })
})

describe('a function', () => {
  const MARK = `import { appendFileSync } from 'node:fs'\nappendFileSync('loaded', 'x')\n`
  const files = (code: string) => ({
    'joust.yaml': 'attacks: a.oatf.yaml\ntargets: { mine: { module: ./agent.mjs } }\nout: out\ngrace: "0"\n',
    'a.oatf.yaml': USER,
    'agent.mjs': `${MARK}${code}\n`,
  })

  test('is loaded from the current project file, which is printed', async () => {
    const cwd = folder(files('export default ({ prompt }) => "I heard " + prompt'))
    const { code, stderr } = await joust(['run', '--quiet'], { cwd })
    expect(stderr).toContain('joust: loading code: agent.mjs, specified in joust.yaml\n')
    expect(code).not.toBe(64)
    const [target] = resultsIn(cwd).targets
    expect(target).toMatchObject({ kind: 'function', name: 'mine', details: { function: 'agent.mjs' } })
    expect(target?.attacks[0]?.trials[0]?.answer).toMatch(/^I heard /)
  })

  test('a dry run loads no code: neither a function nor tools', async () => {
    const cwd = folder(files('export default () => "x"'))
    const { code, stderr, stdout } = await joust(['run', '--dry-run'], { cwd })
    expect(code).toBe(0)
    expect(stderr).not.toContain('loading')
    expect(stdout).toContain('target: function mine')
    writeFileSync(join(cwd, 'joust.yaml'), 'bindings: { module: ./agent.mjs }\n')
    await joust(['run', 'a.oatf.yaml', '--model', 'sim/silent', '--dry-run'], { cwd })
    expect(existsSync(join(cwd, 'loaded'))).toBe(false)
  })

  test.each([
    ['export const other = () => "x"', 'the module exports no function "default"'],
    ['throw new Error("broken")', 'agent.mjs: cannot load the module: Error: broken'],
    ['throw new Error("broken")', 'Error: broken (agent.mjs:3:7)\n    at file://'],
  ])('%s', async (code, message) => {
    const { code: exit, stderr } = await joust(['run'], { cwd: folder(files(code)) })
    expect([exit, stderr]).toEqual([64, expect.stringContaining(message)])
  })
})
