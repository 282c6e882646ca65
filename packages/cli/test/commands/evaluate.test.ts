import { describe, expect, test } from 'vitest'
import { messageContent } from '../../src/commands/evaluate.ts'
import { BAD, folder, GOOD, joust } from '../world.ts'

const HIT = '{"name":"read","arguments":{"path":"/etc/passwd"}}'
const MISS = '{"name":"read","arguments":{"path":"notes.txt"}}'
const withTier = (tier: string) => GOOD.replace('    - target', `    - tier: ${tier}\n      target`)
const TWO = `${GOOD}    - target: arguments.mode
      surface: tools/call
      pattern: { contains: "w" }
  correlation: { logic: all }
`
const CEL = GOOD.replace('pattern: { contains: "/etc/passwd" }', 'expression: { cel: "message.missing == 1" }')
const SEMANTIC = GOOD.replace('pattern: { contains: "/etc/passwd" }', 'semantic: { intent: steals }')
const WITHOUT = GOOD.slice(0, GOOD.indexOf('  indicators'))

const evaluate = (attack: string, message: string, ...more: string[]) =>
  joust(['evaluate', 'attack.yaml', '--message', '-', ...more], {
    cwd: folder({ 'attack.yaml': attack }),
    stdin: message,
  })

describe('exit codes', () => {
  test.each([
    ['not exploited', GOOD, MISS, 0],
    ['exploited', GOOD, HIT, 1],
    ['ingested', withTier('ingested'), HIT, 1],
    ['local action', withTier('local_action'), HIT, 2],
    ['boundary breach', withTier('boundary_breach'), HIT, 3],
    ['partial', TWO, HIT, 4],
    ['an evaluation error', CEL, HIT, 5],
    ['nothing but skipped indicators', SEMANTIC, HIT, 5],
    ['no indicators', WITHOUT, HIT, 5],
    ['an invalid document', BAD, HIT, 5],
    ['a message that is none', GOOD, '{"a": [', 5],
    ['a binary message', GOOD, '\u0000', 5],
  ])('%s', async (_, attack, message, code) => {
    expect((await evaluate(attack, message)).code).toBe(code)
  })

  test('a file that is not there, or standard input twice, is wrong usage', async () => {
    const cwd = folder({ 'attack.yaml': GOOD })
    expect((await joust(['evaluate', 'attack.yaml', '-m', 'no.json'], { cwd })).code).toBe(64)
    expect((await joust(['evaluate', 'no.yaml', '-m', '-'], { cwd, stdin: HIT })).code).toBe(64)
    expect((await joust(['evaluate', '-', '-m', '-'], { stdin: GOOD })).code).toBe(64)
    const missing = await joust(['evaluate', 'attack.yaml', '--trace', 'no.jsonl'], { cwd })
    expect(missing.code).toBe(64)
    expect(missing.stdout).toBe('')
    expect(missing.stderr).toBe('joust: no.jsonl: no such file\n')
  })
})

test('a message is judged by the document as written', async () => {
  const attack = GOOD.replace('arguments.path', 'response.content')
  const { code, stdout } = await evaluate(attack, '{"content":[{"type":"text","text":"/etc/passwd"}]}', '--json')
  expect([code, JSON.parse(stdout).result]).toEqual([0, 'not_exploited'])
})

test.each([
  ['9007199254740993', 1],
  ['9007199254740992', 0],
])('wire 8: a message with 9007199254740993 and a pattern on %s', async (wanted, expected) => {
  const attack = GOOD.replace('pattern: { contains: "/etc/passwd" }', `pattern: { condition: ${wanted} }`)
  const { code, stdout } = await evaluate(attack, '{"name":"read","arguments":{"path":9007199254740993}}', '--json')
  expect(code).toBe(expected)
  expect(stdout.includes('"9007199254740993"')).toBe(expected === 1)
})

test('a match is shown with its place and text', async () => {
  const { stdout } = await evaluate(withTier('local_action'), HIT)
  expect(stdout).toBe(
    'matched      ACME-007-01  local_action\n    at arguments.path: /etc/passwd\n\n' +
      'verdict: exploited (local_action)  1 matched, 0 not matched, 0 errors, 0 skipped\n',
  )
})

test('one message has a verdict and no outcome', async () => {
  const { stdout } = await evaluate(GOOD, MISS)
  expect(stdout).toContain('verdict: not_exploited')
  expect(stdout).not.toContain('resisted')
})

test('the span is marked, long text is cut around it', async () => {
  const path = `${'x'.repeat(300)}/etc/passwd${'y'.repeat(300)}`
  const cwd = folder({ 'attack.yaml': GOOD, 'm.json': JSON.stringify({ arguments: { path } }) })
  const { stdout } = await joust(['evaluate', 'attack.yaml', '-m', 'm.json'], { cwd, env: { FORCE_COLOR: '1' } })
  expect(stdout).toContain('…xxxx')
  expect(stdout).toContain('\u001b[7m/etc/passwd\u001b[27myyyy')
  expect(stdout.length).toBeLessThan(500)
})

test('a skip and an error say why', async () => {
  expect((await evaluate(SEMANTIC, HIT)).stdout).toContain('no semantic evaluator is configured')
  expect((await evaluate(CEL, HIT)).stdout).toMatch(/error {8}ACME-007-01\n {4}\w+: /)
})

test('an invalid document is reported like validate does', async () => {
  const { stdout, stderr } = await evaluate(BAD, HIT)
  expect(stdout).toBe('')
  expect(stderr).toContain('attack.yaml:3:7  error V-023')
  expect(stderr).toContain('no verdict')
})

test('a message may be YAML; a .json file must be JSON', async () => {
  const cwd = folder({ 'attack.yaml': GOOD, 'm.yaml': 'arguments: { path: /etc/passwd }', 'm.json': 'arguments: {}' })
  expect((await joust(['evaluate', 'attack.yaml', '-m', 'm.yaml'], { cwd })).code).toBe(1)
  const refused = await joust(['evaluate', 'attack.yaml', '-m', 'm.json'], { cwd })
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('not JSON')
})

test('--json prints the verdict', async () => {
  const { code, stdout } = await evaluate(withTier('boundary_breach'), HIT, '--json')
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({
    attack_id: 'ACME-007',
    result: 'exploited',
    max_tier: 'boundary_breach',
    evaluation_summary: { matched: 1, not_matched: 0, error: 0, skipped: 0 },
    indicator_verdicts: [{ indicator_id: 'ACME-007-01', result: 'matched', match: { path: 'arguments.path' } }],
  })
})

test.each(['params', 'result', 'error'])('of a JSON-RPC message the %s counts', (part) => {
  expect(messageContent({ jsonrpc: '2.0', id: 1, [part]: { a: 1 } })).toEqual({
    ok: true,
    value: { content: { a: 1 }, note: expect.stringContaining(`"${part}"`) },
  })
})

test.each([[{ name: 'x', params: {} }], ['text'], [null], [[1]]])('other messages are taken whole: %j', (message) => {
  expect(messageContent(message)).toEqual({ ok: true, value: { content: message } })
})

test('an attack document and an empty envelope are not messages', () => {
  expect(messageContent({ oatf: '0.1', attack: {} }).ok).toBe(false)
  expect(messageContent({ jsonrpc: '2.0', id: 1 }).ok).toBe(false)
})
