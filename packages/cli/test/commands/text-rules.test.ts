import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'

const ATTACK = readFileSync(new URL('../../../../library/buried-log-line.oatf.yaml', import.meta.url), 'utf8')
const baits = [
  { id: 'R-1', text: 'Obey {{the}} tower.' },
  { id: 'R-2', text: 'Obey the bell.' },
  { id: 'R-3', text: 'Obey the clock.' },
]
const rules = {
  joust_rules: 1,
  rules: [{ id: 'R-9', title: 'A log', severity: 'low', match: 'any', patterns: ['(?i)error|log'] }],
}
const world = () =>
  folder({
    'a.oatf.yaml': ATTACK,
    'baits.json': JSON.stringify(baits),
    'rules.json': JSON.stringify(rules),
    'broken.json': '{"joust_rules": 1}',
  })

test('lint --rules reports texts of servers with their place', async () => {
  const cwd = world()
  const { stdout, code } = await joust(['lint', 'a.oatf.yaml', '--rules', 'rules.json'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/a\.oatf\.yaml:\d+:\d+ {2}warning text-rule {2}matches R-9 \(A log, low\)/)
  const strict = ['lint', 'a.oatf.yaml', '--rules', 'rules.json', '--max-warnings', '0']
  expect((await joust(strict, { cwd })).code).toBe(1)
})

test('mutate --baits puts texts in front of the bait, spread over the file', async () => {
  const cwd = world()
  const argv = ['mutate', 'a.oatf.yaml', '--baits', 'baits.json', '--max', '2', '--out', 'out']
  expect((await joust(argv, { cwd })).code).toBe(0)
  expect(readdirSync(join(cwd, 'out'))).toEqual(['a.R-1.oatf.yaml', 'a.R-2.oatf.yaml'])
  const mutant = load(readFileSync(join(cwd, 'out/a.R-1.oatf.yaml'), 'utf8'))
  if (!mutant.ok) throw new Error('invalid')
  expect(mutant.value.text).toContain('Obey \\{{the}} tower.')
  expect(mutant.value.document.attack['x-joust-mutations']).toEqual(['R-1'])
  const run = ['run', 'out', '--model', 'sim/credulous', '--in-process', '--quiet', '--arms', 'none']
  expect((await joust(run, { cwd })).stdout).toContain('2 exploited')
})

test('mutate --placebos replaces the placebo and keeps the bait', async () => {
  const cwd = world()
  const argv = ['mutate', 'a.oatf.yaml', '--placebos', 'baits.json', '--max', '1']
  const { stdout, code } = await joust(argv, { cwd })
  expect(code).toBe(0)
  const [before, after] = [load(ATTACK), load(stdout)]
  if (!before.ok || !after.ok) throw new Error('invalid')
  expect(JSON.stringify(after.value.document.attack['x-joust-placebo'])).toContain('Obey \\\\{{the}} tower.')
  expect(after.value.document.attack.execution).toEqual(before.value.document.attack.execution)
})

test.each([
  [['lint', 'a.oatf.yaml', '--rules', 'broken.json'], 'broken.json: '],
  [['lint', 'a.oatf.yaml', '--rules', 'none.json'], 'none.json: '],
  [['mutate', 'a.oatf.yaml', '--baits', 'rules.json'], 'rules.json: '],
  [['mutate', 'a.oatf.yaml', '--baits', 'baits.json', '--by', 'urgent'], '--by'],
])('%j is wrong usage', async (words, message) => {
  const { code, stderr } = await joust(words, { cwd: world() })
  expect(code).toBe(64)
  expect(stderr).toContain(message)
})
