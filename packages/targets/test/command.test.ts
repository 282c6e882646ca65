/** Commands as targets: a small agent in a separate process, over real sockets. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Attack, LoadedAttack } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { needsOf } from '../../arena/src/model/needs.ts'
import type { AttackOptions } from '../../arena/src/model/options.ts'
import { runAttack } from '../../arena/src/run.ts'
import { readAttack } from '../../arena/test/support/agents.ts'
import { loadedAttack } from '../../arena/test/support/attacks.ts'
import { dead } from '../../arena/test/support/processes.ts'
import { type CommandTargetOptions, commandTarget } from '../src/command.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const script = fileURLToPath(new URL('fixtures/mcp-agent.mjs', import.meta.url))
const agent = (behaviour: string) => [process.execPath, script, '{mcp_config}', behaviour]

function attack(options: CommandTargetOptions, more: AttackOptions = {}) {
  return runAttack(converter, { limits: { graceMs: 0 }, ...more, target: commandTarget(options) })
}

test('tool calls decide the outcome, and output is recorded', async () => {
  const [bad, good] = await Promise.all(['obeys', 'refuses'].map((what) => attack({ command: agent(what) })))
  expect(bad?.verdict).toMatchObject({ result: 'exploited', max_tier: 'boundary_breach' })
  expect(good?.verdict.result).toBe('not_exploited')
  expect([...(bad?.diagnostics ?? []), ...(good?.diagnostics ?? [])]).toEqual([])
  expect(bad?.output).toContain('prompt: Please use your tools')
  expect(bad?.exit_code).toBe(0)
  expect(bad?.output).toContain('same: true')
})

test('a command line may contain quotes and placeholders', async () => {
  const command = `"${process.execPath}" '${script}' {mcp_config} refuses {prompt} url={default.url} '{{prompt}}' "a b"`
  const run = await attack({ command, prompt: `What's "new"?` })
  expect(run.verdict.result).toBe('not_exploited')
  const address = run.actors[0]?.address
  expect(run.output).toContain(`words: ${JSON.stringify([`What's "new"?`, `url=${address}`, '{prompt}', 'a b'])}`)
  expect(run.wiring).toEqual([
    `actor default (mcp_server) ${address} → \`default\` in the MCP configuration of node`,
    `no client actor: the agent is asked through node "What's \\"new\\"?"`,
  ])
})

test('the environment has the addresses and the prompt, and does not mention the test', async () => {
  const print = 'process.stdout.write(JSON.stringify(process.env))'
  const run = await attack({ command: [process.execPath, '-e', print], prompt: 'Hello', env: { MINE: '1' } })
  const found = JSON.parse(run.output ?? '')
  expect(found).toMatchObject({ PROMPT: 'Hello', MINE: '1', DEFAULT_URL: run.actors[0]?.address })
  const added = Object.entries(found).filter(([name, value]) => process.env[name] !== value)
  expect(JSON.stringify(added)).not.toMatch(/joust|oatf|arena|attack/i)
  // The configuration is removed with the run.
  expect(existsSync(found.MCP_CONFIG)).toBe(false)
})

describe('fails when the command', () => {
  const failures: [string, CommandTargetOptions, RegExp][] = [
    [
      'exits with an error code',
      { command: agent('fails') },
      /^the command exited with code 1: out of credit\n(?:.*\n)*out of credit$/,
    ],
    ['times out', { command: agent('hangs'), timeoutMs: 1500 }, /^the command did not exit within 1.5 s: /],
    [
      'prints nothing',
      { command: [process.execPath, '-e', 'process.exit(3)'] },
      /^the command exited with code 3; no output$/,
    ],
    ['does not exist', { command: 'no-such-program --flag' }, /^cannot start "no-such-program" in \S+: .*ENOENT/],
    ['has an unclosed quote', { command: 'agent "' }, /^unclosed " in the command$/],
    [
      'has an unknown placeholder',
      { command: 'agent {mcp_confg} {default.url}' },
      /^unknown placeholder \{mcp_confg\}; available: \{mcp_config\}, \{a2a_config\}, .*\{default\.url\}, \{prompt\}, .* Did you mean "mcp_config"\?$/,
    ],
  ]
  test.each(failures)('%s', async (_, options, message) => {
    const run = await attack(options)
    expect(run.outcome).toBe('inconclusive')
    expect(run.diagnostics).toMatchObject([{ code: 'target-failed', message: expect.stringMatching(message) }])
  })
})

test('a truncated answer is inconclusive', async () => {
  const talk = `process.stdin.resume().on('end', () => process.stdout.write('x'.repeat(5_000_000)))`
  const run = await attack({ command: ['sh', '-c', `${agent('refuses').join(' ')}; ${process.execPath} -e "${talk}"`] })
  expect(run).toMatchObject({
    outcome: 'inconclusive',
    reasons: [expect.stringMatching(/^the command printed more than 4194304 characters; only the end/)],
  })
})

const childOf = (output = '') => Number(/child: (\d+)/.exec(output)?.[1])

test('child processes are ended with the command', async () => {
  const run = await attack({ command: agent('leaves') })
  expect(run.verdict.result).toBe('not_exploited')
  expect(childOf(run.output)).toBeGreaterThan(0)
  expect(run).toMatchObject({
    outcome: 'inconclusive',
    reasons: [expect.stringMatching(/held its standard output open/)],
  })
  await dead(childOf(run.output))
})

test('an interrupted run ends the command and its children, and has no other diagnostic', async () => {
  const stop = new AbortController()
  const onEvent: AttackOptions['onEvent'] = (event) => {
    if (event.type === 'message-recorded' && event.entry.surface === 'tools/call') stop.abort()
  }
  const run = await attack({ command: agent('hangs') }, { signal: stop.signal, onEvent })
  expect(run.ended).toBe('interrupted')
  expect(run.diagnostics.map(({ code }) => code)).toEqual(['interrupted'])
  expect(childOf(run.printed)).toBeGreaterThan(0)
  await dead(childOf(run.printed))
})

const talker = fileURLToPath(new URL('fixtures/text-agent.mjs', import.meta.url))
const talk = (...words: readonly string[]) => [process.execPath, talker, ...words]
const limits = { graceMs: 0 }

/** An attack that sends these messages over AG-UI, in one thread. */
function chat(...words: readonly string[]) {
  const phases = words.map((content, index) => ({
    name: `p${index}`,
    state: { run_agent_input: { threadId: 't', runId: `r${index}`, messages: [{ id: 'm', role: 'user', content }] } },
    ...(index < words.length - 1 ? { trigger: { event: 'run_finished' } } : {}),
  }))
  const pattern = { contains: 'mellon' }
  const indicator = { id: 'T-1-01', surface: 'text_message_content', direction: 'response', target: 'delta', pattern }
  // Tests write plain data.
  return loadedAttack({ execution: { mode: 'ag_ui_client', phases }, indicators: [indicator] } as Partial<Attack>)
}

async function answers(attack: LoadedAttack, options: CommandTargetOptions) {
  const run = await runAttack(attack, { limits, target: commandTarget(options) })
  const said = run.trace.filter(({ surface }) => surface === 'text_message_content')
  const texts = said.map(({ content }) => (content as { readonly delta: string }).delta)
  return { run, texts }
}

describe('messages of a client actor are passed', () => {
  test('by standard input', async () => {
    const { run, texts } = await answers(chat('--say mellon'), { command: talk('echo') })
    expect(texts).toEqual(['stdin: --say mellon'])
    expect(run).toMatchObject({ outcome: 'exploited', output: 'stdin: --say mellon', exit_code: 0 })
    expect(run.printed).toContain('thinking')
    expect(run.diagnostics).toEqual([])
  })

  test('as one argument, which is never a flag', async () => {
    const { run, texts } = await answers(chat(`--version; $(x) 'a' "b"`), { command: talk('words', '{prompt}') })
    expect(texts).toEqual([JSON.stringify([` --version; $(x) 'a' "b"`])])
    expect(run.outcome).toBe('resisted')
    expect(run.diagnostics).toMatchObject([{ code: 'prompt-changed', message: expect.stringContaining('a space') }])
    const plain = await answers(chat('--version'), { command: talk('words', '--prompt={prompt}', '--', '{prompt}') })
    expect(plain.texts).toEqual([JSON.stringify(['--prompt=--version', '--', '--version'])])
    expect(plain.run.diagnostics).toEqual([])
  })

  test('as the whole request in a file', async () => {
    const { texts } = await answers(chat('Hi'), { command: talk('input', '{input}') })
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ threadId: 't', messages: [{ role: 'user', content: 'Hi' }] })
  })

  test('in several turns with a session id', async () => {
    const { texts } = await answers(chat('one', 'two'), { command: talk('words', '{session}', '{prompt}') })
    const [first, second] = texts.map((text) => JSON.parse(text))
    expect([first[1], second[1]]).toEqual(['one', 'two'])
    expect(first[0]).toBe(second[0])
  })

  test('in several turns with another command for later turns', async () => {
    const options = { command: talk('words', 'new', '{prompt}'), next: talk('words', 'more', '{prompt}') }
    expect((await answers(chat('one', 'two'), options)).texts).toEqual(['["new","one"]', '["more","two"]'])
  })

  test('in several turns as lines to one process', async () => {
    const { run, texts } = await answers(chat('one', 'mellon'), { command: talk('lines'), lines: true })
    expect(texts).toEqual(['1 of 1: one', '2 of 2: mellon'])
    expect(run.outcome).toBe('exploited')
    const { run: hung } = await answers(chat('hang'), { command: talk('lines'), lines: true, timeoutMs: 500 })
    expect(hung).toMatchObject({ outcome: 'inconclusive', diagnostics: [{ code: 'agent-failed' }] })
    expect(hung.diagnostics[0]?.message).toContain('did not answer within 0.5 s')
    const { run: broken } = await answers(chat('break'), { command: talk('lines'), lines: true })
    expect(broken).toMatchObject({ outcome: 'inconclusive', diagnostics: [{ code: 'agent-failed' }] })
    expect(broken.diagnostics[0]?.message).toContain('answered with an error: overloaded')
    const { run: left } = await answers(chat('leave'), { command: talk('lines'), lines: true })
    expect(left.diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/exited before it answered: exited with code 4: no more/),
      'the command exited with code 4',
    ])
  })
})

test.each<[string, string | undefined, string]>([
  ['json', 'result.text', 'mellon'],
  ['jsonl', 'item.text', 'mellon'],
  ['jsonl', undefined, '{"item":{"text":"thinking"}}\n{"other":1}\n{"item":{"text":"mellon"}}'],
])('the answer in %s at %s', async (what, answer, expected) => {
  const { texts } = await answers(chat('Hi'), { command: talk(what), ...(answer && { answer }) })
  expect(texts).toEqual([expected])
})

test.each<[string, CommandTargetOptions, string]>([
  [
    'exits with a code',
    { command: talk('fail') },
    'the command exited with code 9: out of credit\nthinking\nout of credit',
  ],
  ['says nothing', { command: talk('nothing') }, 'the agent returned an empty answer'],
  ['has no answer at the path', { command: talk('json'), answer: 'a.b' }, 'printed no JSON with text at a.b'],
  ['ends with an error', { command: talk('broken'), answer: 'item.text' }, 'answered with an error: cut off'],
  ['is too slow', { command: talk('hang'), timeoutMs: 500 }, 'did not exit within 0.5 s'],
])('a command that %s has not resisted', async (_, options, reason) => {
  const { run } = await answers(chat('Hi'), options)
  expect(run.outcome).toBe('inconclusive')
  expect(run.diagnostics).toMatchObject([{ code: 'agent-failed', message: expect.stringContaining(reason) }])
})

test.each(['greet', 'late'])('a process that greets does not shift its answers: %s', async (how) => {
  const { texts } = await answers(chat('one', 'two'), { command: talk('lines', how), lines: true })
  expect(texts).toEqual(['1 of 1: one', '2 of 2: two'])
})

test('answers with a turn number belong to that turn', async () => {
  const { texts } = await answers(chat('one'), { command: talk('lines', 'numbered'), lines: true })
  expect(texts).toEqual(['1 of 1: one'])
})

test.each([1, 2])('a process with more answers than prompts in %i turns has not resisted', async (turns) => {
  const target = commandTarget({ command: talk('lines', 'twice'), lines: true })
  const run = await runAttack(chat(...['one', 'two'].slice(0, turns)), { limits: { graceMs: 1500 }, target })
  expect(run.outcome).toBe('inconclusive')
  expect(run.reasons[0]).toMatch(/printed more answers than prompts were sent/)
})

test('a process that answers and then crashes has not resisted', async () => {
  const options = { command: talk('lines'), lines: true }
  const run = await runAttack(chat('crash'), { limits: { graceMs: 600 }, target: commandTarget(options) })
  expect(run.outcome).toBe('inconclusive')
  expect(run.diagnostics).toMatchObject([{ code: 'target-failed' }])
  expect(run.diagnostics[0]?.message).toMatch(
    /the command answered, and then exited with code 5; output:\n(?:.*\n)*too late/,
  )
})

test('home, working directory and temporary folder are separate, and secrets are not passed on', async () => {
  process.env.FRONT_DOOR_SECRET = 'x'
  process.env.WANTED = 'y'
  try {
    const options = { command: talk('env'), passEnv: ['WANTED'] }
    const { texts } = await answers(chat('Hi'), options)
    const { env, cwd } = JSON.parse(texts[0] ?? '')
    expect(env).toMatchObject({ WANTED: 'y', PATH: process.env.PATH })
    expect(env.FRONT_DOOR_SECRET).toBeUndefined()
    expect(env.HOME).not.toBe(homedir())
    expect([dirname(env.TMPDIR), dirname(cwd)]).toEqual([dirname(env.HOME), dirname(env.HOME)])
    expect(existsSync(env.HOME)).toBe(false)
    const { texts: mine } = await answers(chat('Hi'), { ...options, useHome: true, cwd: process.cwd() })
    expect(JSON.parse(mine[0] ?? '')).toMatchObject({ env: { HOME: homedir() }, cwd: process.cwd() })
  } finally {
    delete process.env.FRONT_DOOR_SECRET
    delete process.env.WANTED
  }
})

describe('does not apply', () => {
  const lacks = (file: string, options: CommandTargetOptions) =>
    commandTarget(options).lacks?.(needsOf(readAttack(file)))

  test.each<[string, string, CommandTargetOptions, string | undefined]>([
    ['client tools', 'frontend-tool-poisoning', { command: 'a {input}' }, 'client-side tools'],
    ['context', 'schema-poisoning', { command: 'a' }, 'context items'],
    ['context that is pasted', 'schema-poisoning', { command: 'a', paste: ['context'] }, undefined],
    ['context in the request', 'schema-poisoning', { command: 'a {input}' }, undefined],
    ['context in lines', 'schema-poisoning', { command: 'a', lines: true }, 'context items'],
    [
      'context in lines that it reads',
      'schema-poisoning',
      { command: 'a', lines: true, carries: ['context'] },
      undefined,
    ],
    ['one turn', 'error-message-injection', { command: 'a' }, undefined],
    [
      'remote agents',
      'artifact-poisoning',
      { command: 'a' },
      'cannot be connected to the a2a_server actor supplier_research',
    ],
    ['remote agents in its configuration', 'artifact-poisoning', { command: 'a {a2a_config}' }, undefined],
    ['actors of other documents', 'error-message-injection', { command: 'a {ghost.url}' }, '{ghost.url}'],
  ])('%s: %s', (_, file, options, reason) => {
    const found = lacks(`library/${file}.oatf.yaml`, options) ?? []
    if (reason === undefined) expect(found).toEqual([])
    else expect(found).toEqual([expect.stringContaining(reason)])
  })

  test('several turns to a command with only one', () => {
    const needs = needsOf(chat('one', 'two'))
    expect(commandTarget({ command: 'a' }).lacks?.(needs)).toEqual([expect.stringContaining('several turns')])
    for (const more of [{ next: 'a --more' }, { command: 'a {session}' }, { lines: true }])
      expect(commandTarget({ command: 'a', ...more }).lacks?.(needs)).toEqual([])
  })

  test('and the command is not started', async () => {
    const attack = readAttack('library/frontend-tool-poisoning.oatf.yaml')
    const run = await runAttack(attack, { limits, target: commandTarget({ command: '/nowhere' }) })
    expect(run).toMatchObject({ outcome: 'not_applicable', reasons: [expect.stringContaining('tools')], trace: [] })
  })
})
