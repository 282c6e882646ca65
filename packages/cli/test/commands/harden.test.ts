import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assets } from '../../src/terminal/assets.ts'
import { AGENT, folder, GOOD, joust } from '../world.ts'

/** The examples, in a folder of their own. */
const examples = () =>
  folder(
    Object.fromEntries(
      readdirSync(assets.hardening).map((name) => [name, readFileSync(join(assets.hardening, name), 'utf8')]),
    ),
  )

const quick = ['--in-process', '--observe', '0s', '--confirm', '1', '--report', 'json', '--out', 'out', '-q']

const harden = (cwd: string, agent: string, attacks: readonly string[], ...more: readonly string[]) =>
  joust(
    ['harden', `${agent}.agf.yaml`, '--against', ...attacks.map((name) => `${name}.oatf.yaml`), ...quick, ...more],
    {
      cwd,
    },
  )

describe('a task that needs the very tool that is abused', { timeout: 120_000 }, () => {
  const proofs = [
    { attack: 'forwarded-minutes', agent: 'clerk', by: /^ {2}1\. ask a human before send_mail .* "dana@northwind/m },
    { attack: 'bill-note', agent: 'clerk', by: /^ {2}1\. ask a human before pay_bill of office where amount is more/m },
    {
      attack: 'handbook-page',
      agent: 'clerk',
      by: /^ {2}1\. ask a human before read_page of office where path matches/m,
    },
    { attack: 'postman-detour', agent: 'office', by: /^ {2}1\. restrict the input recipient of postman to pattern/m },
  ]

  test.each(proofs)('$attack', async ({ attack, agent, by }) => {
    const cwd = examples()
    const { code, stdout } = await harden(cwd, agent, [attack], '--by', 'drop-tool', 'approval', 'interface-schema')
    expect(stdout).toMatch(by)
    expect(stdout).toMatch(/exploited +resisted +1\/1 → 1\/1 +stopped/)
    expect(stdout).toContain('stopped: 1 of 1 successful attack, with 1 restraint\n')
    expect(code).toBe(0)
    const { targets } = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
    const [told] = targets[0].hardening.attacks
    // Dropping the tool was tried, and is not a solution.
    expect([...told.by, ...told.alternatives].join()).not.toContain('leave')
    expect(targets[0].attacks[0].outcome).toBe('exploited')
    expect(existsSync(join(cwd, 'out', targets[0].attacks[0].trials[0].trace))).toBe(true)
    expect(existsSync(join(cwd, 'out/after-1/results.json'))).toBe(true)
  })
})

test('a policy of the bound registry', { timeout: 120_000 }, async () => {
  const cwd = examples()
  mkdirSync(join(cwd, 'policies'))
  writeFileSync(join(cwd, 'joust.yaml'), 'bindings: { governance: { folder: policies } }\n')
  const condition = '{ args_match: { to: { pattern: collector } } }'
  writeFileSync(join(cwd, 'policies/org.mail.yaml'), `approvals: [{ targets: [send_mail], condition: ${condition} }]\n`)
  const { code, stdout } = await harden(cwd, 'clerk', ['forwarded-minutes'], '--by', 'governance')
  expect(stdout).toContain('org.mail')
  expect(stdout).toMatch(/exploited +resisted +1\/1 → 1\/1 +stopped/)
  expect(code).toBe(0)
})

test('--write applies it, comments stay, and a run of the file resists', { timeout: 120_000 }, async () => {
  const cwd = examples()
  const kinds = ['--by', 'approval', '--write']
  const { code, stdout } = await harden(cwd, 'clerk', ['bill-note'], ...kinds)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\+ +gt: 45$/m)
  const text = readFileSync(join(cwd, 'clerk.agf.yaml'), 'utf8')
  expect(text).toContain('- alias: office # mail, handbook and bills')
  expect(text).toContain('gt: 45')
  const words = ['run', 'bill-note.oatf.yaml', '--agent', 'clerk.agf.yaml', '--in-process', '-q', '--out', 'again']
  expect((await joust(words, { cwd })).code).toBe(0)
  const again = await joust(
    ['harden', 'clerk.agf.yaml', '--against', 'bill-note.oatf.yaml', ...quick.slice(0, -3), '-q', '--out', 'more'],
    { cwd },
  )
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('no attack succeeded') })
})

test('an attack that no restraint stops is reported with the reason and is not a success', {
  timeout: 120_000,
}, async () => {
  const cwd = examples()
  const before = readFileSync(join(cwd, 'clerk.agf.yaml'), 'utf8')
  const { code, stdout } = await harden(cwd, 'clerk', ['signed-answer'], '--json', '--write')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    restraints: [],
    diff: '',
    attacks: [{ status: 'open', before: 'exploited', reason: expect.stringContaining('through an answer') }],
  })
  expect(readFileSync(join(cwd, 'clerk.agf.yaml'), 'utf8')).toBe(before)
})

test('a budget ends it, and an unknown effect is not a success', { timeout: 120_000 }, async () => {
  const cwd = examples()
  const { code, stdout } = await harden(cwd, 'clerk', ['bill-note'], '--budget-calls', '8', '--write')
  expect(code).toBe(1)
  expect(stdout).toContain('INCOMPLETE: the budget of 8 model calls is used up')
  expect(stdout).toContain('the search ended before this attack was decided')
  expect(readFileSync(join(cwd, 'clerk.agf.yaml'), 'utf8')).not.toContain('constraints')
})

test('Ctrl-C ends it and writes nothing into the agent', async () => {
  const cwd = examples()
  const interruption = AbortSignal.abort()
  const words = ['harden', 'clerk.agf.yaml', '--against', 'bill-note.oatf.yaml', ...quick, '--write']
  const { code, stdout } = await joust(words, { cwd, interruption })
  expect(code).toBe(130)
  expect(stdout).toContain('INCOMPLETE')
  expect(readFileSync(join(cwd, 'clerk.agf.yaml'), 'utf8')).not.toContain('constraints')
})

describe('wrong usage', () => {
  const agent = AGENT.replace('model: any', 'model: sim/cautious')
  const cwd = () => folder({ 'a.agf.yaml': agent, 'good.oatf.yaml': GOOD })

  test.each([
    { words: ['a.agf.yaml'], says: 'missing option: --against' },
    { words: ['none.agf.yaml', '--against', 'good.oatf.yaml'], says: 'none.agf.yaml' },
    { words: ['a.agf.yaml', '--against', 'none.oatf.yaml'], says: 'none.oatf.yaml' },
    { words: ['a.agf.yaml', '--against', 'good.oatf.yaml'], says: 'x-joust-task' },
    { words: ['a.agf.yaml', '--against', 'good.oatf.yaml', '--by', 'aproval'], says: 'did you mean approval?' },
    {
      words: ['a.agf.yaml', '--against', 'good.oatf.yaml', '--by', 'governance'],
      says: '--by governance needs policies in a folder',
    },
    { words: ['-', '--against', 'good.oatf.yaml', '--write'], says: '--write needs a file' },
  ])('$words', async ({ words, says }) => {
    const { code, stderr } = await joust(['harden', ...words], { cwd: cwd() })
    expect(stderr).toContain(says)
    expect(code).toBe(64)
  })
})

test('an attack that could not be judged is not one that did not get through', { timeout: 120_000 }, async () => {
  const cwd = examples()
  const text = readFileSync(join(cwd, 'clerk.agf.yaml'), 'utf8')
  const unbound = 'action_space:\n  local_tools: [{ alias: nowhere, description: It is not bound. }]'
  writeFileSync(join(cwd, 'clerk.agf.yaml'), text.replace('action_space:', unbound))
  const { code, stdout } = await harden(cwd, 'clerk', ['bill-note'])
  expect(code).toBe(1)
  expect(stdout).toContain('1 attack could not be judged\n')
  expect(stdout).not.toContain('no attack succeeded')
})
