import { mutations } from '@joust/oatf'
import { explanations } from '@joust/oatf/explain'
import { describe, expect, test } from 'vitest'
import { findingSummaries } from '../../src/render/finding-summaries.ts'
import { glossary, glossaryEntry } from '../../src/render/glossary.ts'
import { joust } from '../world.ts'

const codes = explanations().map((row) => row.code)

test('a rule: level, clause, summary, a good and a bad example, and the finding for the bad one', async () => {
  const { code, stdout } = await joust(['explain', 'V-005'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^V-005 {2}error {2}OATF §11\.1\.5\n/)
  expect(stdout).toContain('\nGood\n')
  expect(stdout).toMatch(/\nBad, at attack\.severity\n/)
  expect(stdout).toMatch(/\^\^+/)
  expect(stdout).toMatch(/is not one of/)
})

test.each(['v5', 'V5', 'v-5', 'V005', ' v_005'])('%j means V-005', async (word) => {
  expect((await joust(['explain', word])).stdout).toMatch(/^V-005 /)
})

test('V-002 names the code that replaced it', async () => {
  expect((await joust(['explain', 'V-002'])).stdout).toContain('Findings have the code W-001')
})

test.each([
  ['x-joust-flow', 'data flow'],
  ['x-joust-overlay', 'overlay'],
])('the key %s is explained as %s', async (key, term) => {
  expect((await joust(['explain', key])).stdout).toMatch(new RegExp(`^${term}\n`))
})

test('resisted names the mode in which no sign of life is needed', async () => {
  const { stdout } = await joust(['explain', 'resisted'])
  expect(stdout).toMatch(/only `--listen`.*so a delivered bait is enough/)
})

test('a term is wrapped in a terminal, and one line in a pipe', async () => {
  const terminal = (await joust(['explain', 'resisted'], { isTTY: true, columns: 60 })).stdout
  const piped = (await joust(['explain', 'resisted'])).stdout
  expect(
    Math.max(
      ...terminal
        .split('\n')
        .slice(1)
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(60)
  expect(Math.max(...piped.split('\n').map((line) => line.length))).toBeGreaterThan(200)
})

test('a step shows before and after', async () => {
  const { stdout } = await joust(['explain', 'N-002'])
  expect(stdout).toMatch(/^N-002 {2}step {2}OATF §11\.2\.2\n/)
  expect(stdout).toMatch(/Before\n\n[\s\S]* severity: high\n[\s\S]*After this step\n\n[\s\S]* level: high\n/)
})

test('without a code, all of them', async () => {
  const { code, stdout } = await joust(['explain'])
  expect(code).toBe(0)
  const listed = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('  ')[0])
  expect(listed).toEqual([
    ...codes,
    ...findingSummaries.keys(),
    ...mutations().map(({ name }) => name),
    ...glossary.map(({ term }) => term),
  ])
})

test.each(['inconclusive', 'Not_Applicable', ' not-applicable', 'BAIT'])('%j is a term', async (word) => {
  const { code, stdout } = await joust(['explain', word])
  expect(code).toBe(0)
  expect(stdout).toContain(glossaryEntry(word)?.meaning)
})

test('a term of two words', async () => {
  expect(await joust(['explain', 'stopped', 'by'])).toEqual(await joust(['explain', 'stopped by']))
  expect((await joust(['explain', 'model', 'proxy'])).stdout).toContain(glossaryEntry('model proxy')?.meaning)
})

test('a term that is spelled wrong', async () => {
  expect((await joust(['explain', 'inconclusiv'])).stderr).toContain('Did you mean "inconclusive"?')
})

test('related terms exist, and no word means two of them', () => {
  const words = glossary.flatMap(({ term, aliases = [] }) => [term, ...aliases])
  expect(new Set(words).size).toBe(words.length)
  for (const { see = [] } of glossary) for (const term of see) expect(glossaryEntry(term)?.term).toBe(term)
  expect(glossary.map(({ term }) => term)).toEqual(glossary.map(({ term }) => term).sort())
})

test('an unknown code', async () => {
  const { code, stdout, stderr } = await joust(['explain', 'V-055'])
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toMatch(/^joust: unknown code or term V-055\. Did you mean "V-0[05][05]"\?/)
})

describe('every code', () => {
  test.each(codes)('%s has an example with the expected finding', async (code) => {
    const { stdout } = await joust(['explain', code])
    if (code.startsWith('N')) return expect(stdout).toContain('After this step')
    if (code.startsWith('D')) return expect(stdout).toMatch(/\nAs written\n[\s\S]+\nAs translated\n/)
    expect(stdout).toContain('\nGood\n')
    const bad = stdout.slice(stdout.indexOf('\nBad, at '))
    expect(bad).toMatch(/^ {4}> +\d+ \|/m)
    expect(bad.trim().split('\n').at(-1)).toMatch(/^\S/)
  })
})

describe('every mutation', () => {
  test.each(mutations())('$name: what it does, and what it makes of a bait', async ({ name, kind, summary }) => {
    const { code, stdout } = await joust(['explain', name])
    expect(code).toBe(0)
    expect(stdout.startsWith(`${name}  mutation  ${kind}\nThis mutation ${summary}.\n`)).toBe(true)
    const [, before, after] = /\nA bait\n\n([\s\S]+)\n\nAfter this mutation\n\n([\s\S]+)\n$/.exec(stdout) ?? []
    if (before === undefined) expect(stdout).toContain('This mutation does not apply to every attack')
    else expect(after).not.toBe(before)
  })

  test('most of them have an example, and a misspelled one is found', async () => {
    expect((await joust(['explain', 'base64'])).stdout).toMatch(/base64; .*: [A-Za-z0-9+/]+=*/)
    expect((await joust(['explain', 'bas64'])).stderr).toContain('Did you mean "base64"?')
  })
})

test('codes that are words, those of agents among them', async () => {
  expect(await joust(['explain', 'Unknown_Field'])).toMatchObject({
    code: 0,
    stdout: 'unknown_field\nA field is not part of the format and has no effect.\n',
  })
  expect((await joust(['explain', 'unknwon_field'])).stderr).toContain('Did you mean "unknown_field"?')
})

test('every code is a word with a sentence', () => {
  expect(findingSummaries.size).toBeGreaterThan(30)
  for (const [code, summary] of findingSummaries) {
    expect(code).toMatch(/^[a-z][a-z0-9_-]+$/)
    expect(summary).toMatch(/^[A-Z].*\.$/)
  }
})
