import { readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Results } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { folder, joust } from '../world.ts'
import { PROMPT, SELF_PLAY, SERVER, WIRE } from './documents.ts'

const SIM = ['--model', 'sim/cautious', '--prompt', PROMPT, '--out', 'out', '--report', 'json', '--grace', '0']
const resultsIn = (cwd: string): Results => JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
const count = (text: string, part: string) => text.split(part).length - 1

describe('a folder', () => {
  test('lists attacks with endings in lower or upper case, and names linked folders that were not searched', async () => {
    const cwd = folder({ 'attacks/a.oatf.YAML': SERVER, 'shared/b.oatf.yaml': SERVER })
    symlinkSync('../shared', join(cwd, 'attacks/more'))
    const run = (...words: string[]) => joust(['run', ...words, '--dry-run', '--model', 'sim/cautious'], { cwd })
    const { code, stdout, stderr } = await run('attacks')
    expect([code, stdout]).toEqual([0, expect.stringContaining('attacks/a.oatf.YAML')])
    expect(stderr).toContain('attacks/more  note  not searched')
    expect((await run('attacks/more')).stdout).toContain('b.oatf.yaml')
    for (const command of [['fmt', '--check'], ['migrate', '--check'], ['validate'], ['lint']]) {
      const said = await joust([...command, 'attacks'], { cwd })
      expect(`${said.stdout}${said.stderr}`, command[0]).toContain('links to folders are not followed')
    }
  })

  test('of links only has no attack, with a reason', async () => {
    const cwd = folder({ 'attacks/notes.txt': '', 'shared/b.oatf.yaml': SERVER })
    symlinkSync('../shared', join(cwd, 'attacks/more'))
    const { code, stderr } = await joust(['run', 'attacks', ...SIM], { cwd })
    expect(code).toBe(64)
    expect(stderr).toContain('attacks/more  note  not searched')
    expect(stderr).toContain('no attack document in attacks')
  })
})

describe('one letter wrong', () => {
  test.each<[string, RegExp, ...(readonly [right: string, wrong: string])[]]>([
    ['a surface', /error L-012 .*Did you mean "tools\/call"\?/, ['surface: tools/call', 'surface: tool/call']],
    ['a state key', /error L-013 .*Did you mean "tools"\?/, ['      tools:', '      tool:']],
    ['responses', /error L-014 .*Did you mean "responses"\?/, ['responses:', 'response:']],
    ['an input schema', /error L-014 .*Did you mean "inputSchema"\?/, ['inputSchema', 'input_schema']],
    ['a tool without a name', /error L-015 /, ['- name: send_letter', '- title: send_letter']],
    ['a key of an answer', /error L-014 .*Did you mean "content"\?/, ['[{ content: {', '[{ contnt: {']],
    ['a key of a message', /error L-014 .*Did you mean "text"\?/, ['text: sent', 'tex: sent']],
    ['a keyword of a schema', /error L-014 .*Did you mean "properties"\?/, ['properties: { to', 'propertie: { to']],
    [
      'an argument',
      /error L-024 .*Did you mean "recipient"\?/,
      ['{ to: {', '{ recipient: {'],
      ['[to, text]', '[recipient]'],
      ['arguments.to', 'arguments.recipent'],
    ],
    [
      'an operator',
      /warning W-101 .*Did you mean "contains"\?/,
      ['{ contains: stranger.example }', '{ condition: { contain: stranger.example } }'],
    ],
  ])('%s: run reports it with its place, and nothing is resisted', async (_, said, ...slips) => {
    const cwd = folder({ 'a.oatf.yaml': slips.reduce((text, [right, wrong]) => text.replace(right, wrong), SERVER) })
    const { stderr, code } = await joust(['run', 'a.oatf.yaml', ...SIM], { cwd })
    const line = stderr.split('\n').find((one) => said.test(one))
    expect(line).toMatch(/^a\.oatf\.yaml:\d+:\d+ {2}/)
    const [attack] = resultsIn(cwd).targets.flatMap((target) => target.attacks)
    expect([code, attack?.outcome]).toEqual([5, 'inconclusive'])
    expect(attack?.reasons).not.toEqual([])
  })

  test('once per document, for any number of trials, and once for each mistake', async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER.replace('surface: tools/call', 'surface: tool/call') })
    const { stderr } = await joust(['run', 'a.oatf.yaml', '--trials', '3', ...SIM], { cwd })
    expect(count(stderr, 'L-012')).toBe(1)
    expect(stderr).not.toContain('V-018')
  })

  test('run prints V- and W- warnings and lint findings; --quiet leaves only errors', async () => {
    const warned = SERVER.replace('oatf: "0.1"\n', '').replace('surface: tools/call', 'surface: tools/dance')
    const cwd = folder({
      'warned.oatf.yaml': `${warned}oatf: "0.1"\n`,
      'linted.oatf.yaml': SERVER.replace('    state:\n', '    state:\n      banner: x\n      serverInfo: {}\n'),
    })
    const loud = await joust(['run', '.', '--dry-run', '--model', 'sim/cautious'], { cwd })
    expect(loud.stderr).toMatch(/^warned\.oatf\.yaml:\d+:\d+ {2}warning W-001 /m)
    expect(loud.stderr).toMatch(/^warned\.oatf\.yaml:\d+:\d+ {2}warning V-018 /m)
    expect(loud.stderr).toMatch(/^linted\.oatf\.yaml:\d+:\d+ {2}warning L-006 /m)
    const quiet = await joust(['run', '.', '--dry-run', '--model', 'sim/cautious', '--quiet'], { cwd })
    expect(quiet.stderr).toMatch(/^linted\.oatf\.yaml:\d+:\d+ {2}error L-013 [^\n]*\n$/)
  })

  test('a filtered document is not talked about', async () => {
    const cwd = folder({
      'a.oatf.yaml': SERVER.replace('surface: tools/call', 'surface: tool/call'),
      'b.oatf.yaml': SELF_PLAY,
    })
    const { stderr } = await joust(['run', '.', '--dry-run', '--tag', 'self', ...WIRE], { cwd })
    expect(stderr).not.toContain('L-012')
  })
})

describe('one letter wrong: a document whose indicators can never match', () => {
  const DEAD = SERVER.replace('target: arguments.to', 'target: params.arguments.to')

  test('is run and judged, and keeps its name, severity and category', async () => {
    const cwd = folder({ 'a.oatf.yaml': DEAD })
    const { stderr } = await joust(['run', 'a.oatf.yaml', ...SIM], { cwd })
    expect(stderr).toMatch(/^a\.oatf\.yaml:\d+:\d+ {2}error L-007 /m)
    const [attack] = resultsIn(cwd).targets.flatMap((target) => target.attacks)
    expect(attack).toMatchObject({
      outcome: 'inconclusive',
      reasons: [expect.stringContaining('no message can match')],
    })
    expect(attack?.attack).toMatchObject({
      id: 'TEST-001',
      name: 'Weather that asks for a letter',
      category: 'response_fabrication',
    })
    expect(JSON.stringify(attack?.attack.severity)).toContain('high')
    expect(attack?.trials).toHaveLength(1)
    expect(attack?.verdict.indicator_verdicts).toHaveLength(1)
  })

  test('its actors are found by --wire', async () => {
    const cwd = folder({ 'a.oatf.yaml': SELF_PLAY.replace('target: arguments.word', 'target: params.word') })
    const { stdout, stderr } = await joust(['run', 'a.oatf.yaml', '--dry-run', ...WIRE], { cwd })
    expect(stdout).toContain('  1 indicator\n')
    expect(stderr).toContain('L-007')
    expect(stderr).not.toContain('no attack has')
  })

  test('evaluate judges by it', async () => {
    const cwd = folder({
      'a.oatf.yaml': SELF_PLAY,
      'dead.oatf.yaml': SELF_PLAY.replace('target: arguments.word', 'target: params.word'),
    })
    await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'out', '--report', 'json', '--quiet'], { cwd })
    const judged = await joust(['evaluate', 'dead.oatf.yaml', '--trace', 'out/traces/a.1.jsonl', '--json'], { cwd })
    expect(JSON.parse(judged.stdout).indicator_verdicts).toHaveLength(1)
  })
})

test('a wired client continues when another client has no server', async () => {
  const other = '{ name: other, mode: a2a_client, phases: [{ name: asking, state: { actions: [ASK] } }] }'
  const ask = '{ method: message/send, params: { message: { kind: message, messageId: m, role: user, parts: [] } } }'
  const third = SELF_PLAY.replace('  indicators:', `      - ${other.replace('ASK', ask)}\n  indicators:`)
  const cwd = folder({ 'a.oatf.yaml': third })
  await joust(['run', 'a.oatf.yaml', ...WIRE, '--target', 'a2a=http://127.0.0.1:9/', '--out', 'out', '--quiet'], {
    cwd,
  })
  const [attack] = resultsIn(cwd).targets.flatMap((target) => target.attacks)
  expect(attack?.verdict.result).toBe('exploited')
})

test('--wire and --target go together, each for its own actors', async () => {
  const heard: unknown[] = []
  const server = createServer(async (request, response) => {
    const { id, params } = (await json(request)) as { id: number; params: unknown }
    heard.push(params)
    const result = { kind: 'message', messageId: 'n', role: 'agent', parts: [{ kind: 'text', text: 'It is sunny.' }] }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const origin = await listenForTest(server)
  const ask =
    '{ method: message/send, params: { message: { kind: message, messageId: m, role: user, parts: [PART] } } }'
  const state = `{ actions: [${ask.replace('PART', '{ kind: text, text: How is it? }')}] }`
  const other = `{ name: other, mode: a2a_client, phases: [{ name: asking, state: ${state} }] }`
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY.replace('  indicators:', `      - ${other}\n  indicators:`) })
  const target = `a2a=${origin}/agent`
  const argv = ['run', 'a.oatf.yaml', ...WIRE, '--target', target, '--out', 'out', '--report', 'json', '--quiet']
  await joust(argv, { cwd })
  const [trial] = resultsIn(cwd).targets.flatMap(({ attacks }) => attacks.flatMap(({ trials }) => trials))
  expect(heard).toMatchObject([{ message: { parts: [{ text: 'How is it?' }] } }])
  expect(trial?.outcome).toBe('exploited')
  expect(trial?.answer).toBe('It is sunny.')
  expect(trial?.actors.map(({ name, status }) => `${name} ${status}`)).not.toContainEqual(
    expect.stringMatching(/failed/),
  )
})
