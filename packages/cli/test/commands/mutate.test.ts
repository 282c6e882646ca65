import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load, mutations } from '@joust/oatf'
import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'

const ATTACK = fileURLToPath(new URL('../../../../examples/adaptive/ticket.oatf.yaml', import.meta.url))
const text = readFileSync(ATTACK, 'utf8')

test('--list tells every mutation, for people and for programs', async () => {
  const { code, stdout } = await joust(['mutate', '--list'])
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(mutations().length)
  expect(stdout).toMatch(/^urgent +tone +claims urgency$/m)
  expect(JSON.parse((await joust(['mutate', '--list', '--json'])).stdout)).toEqual(mutations())
})

test('a single mutant is printed to stdout as a document', async () => {
  const { code, stdout, stderr } = await joust(['mutate', '-', '--by', 'urgent'], { stdin: text })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(load(stdout).ok).toBe(true)
  expect(stdout).toContain('# The order stands in the middle of an ordinary report.')
  expect(stdout).toContain('x-joust-mutations:\n    - urgent\n')
})

test('oatf is always the first key', async () => {
  const version = 'oatf: "0.1"\n'
  const { code, stdout } = await joust(['mutate', '-', '--by', 'urgent'], {
    stdin: `${text.replace(version, '')}\n${version}`,
  })
  expect(code).toBe(0)
  expect(stdout.indexOf(version)).toBeLessThan(stdout.indexOf('attack:'))
})

test('--out writes a file for each, and writes over nothing', async () => {
  const cwd = folder({ 'a.oatf.yaml': text })
  const all = ['mutate', 'a.oatf.yaml', '--by', 'urgent', 'german+base64', '--out', 'made']
  expect(await joust(all, { cwd })).toMatchObject({ code: 0 })
  expect(readdirSync(join(cwd, 'made')).sort()).toEqual(['a.german+base64.oatf.yaml', 'a.urgent.oatf.yaml'])
  const { code, stdout, stderr } = await joust([...all, '--by', 'polite'], { cwd })
  expect({ code, stdout, stderr }).toEqual({
    code: 64,
    stdout: '',
    stderr: 'joust: made/a.urgent.oatf.yaml already exists; use another folder for --out\n',
  })
  expect(readdirSync(join(cwd, 'made'))).toHaveLength(2)
})

test('mutations that do not apply have a reason; no mutant at all is a finding', async () => {
  const { code, stdout, stderr } = await joust(['mutate', '-', '--by', 'split-turns'], { stdin: text })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    'joust: <stdin>: split-turns does not apply: the bait is not a message of two sentences in a conversation\n',
  )
})

test('a run whose file has the name of a mutant is refused', async () => {
  const cwd = folder({ 'a.oatf.yaml': text, 'a.oatf.yaml#urgent': text })
  const words = ['a.oatf.yaml', 'a.oatf.yaml#urgent', '--mutate', 'urgent', '--model', 'sim/silent', '--out', 'r']
  const { code, stderr } = await joust(['run', ...words], { cwd })
  expect([code, existsSync(join(cwd, 'r'))]).toEqual([64, false])
  expect(stderr).toContain('duplicate attack name a.oatf.yaml#urgent')
})

test('unknown names are reported', async () => {
  expect((await joust(['mutate', '-', '--by', 'urgnet'], { stdin: text })).stderr).toContain('did you mean urgent?')
  expect((await joust(['mutate', '-'], { stdin: text })).stderr).toContain('missing --by NAME')
  expect((await joust(['mutate'])).code).toBe(64)
  expect((await joust(['run', '-', '--mutate', 'nothing', '--model', 'sim/silent'], { stdin: text })).code).toBe(64)
})
