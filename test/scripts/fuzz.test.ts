/** Where the fuzzer starts: every text of its corpus through every reader. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { falsePasses, letterMutants, libraryDocuments } from '../../scripts/fuzz/letters.ts'
import { createRandom, mutate, seedsOf } from '../../scripts/fuzz/mutate.ts'
import { readCorpus, readers, runFrom } from '../../scripts/fuzz/readers.ts'
import { openWire } from '../../scripts/fuzz/wire.ts'
import { repositoryRoot } from '../../scripts/repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'joust-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const corpus = readCorpus('scripts/fuzz/corpus')

test.each(Object.entries(readers))('%s answers, whatever it is given', async (_, read) => {
  expect(corpus.length).toBeGreaterThan(20)
  for (const text of corpus) await read(text, folder)
})

test('an agent resumes from the journal of a run', async () => {
  const seed = readFileSync(join(repositoryRoot(), 'scripts/fuzz/corpus/run-journal.jsonl'), 'utf8')
  const file = join(folder, 'seed.journal')
  writeFileSync(file, seed.replace('[simulated credulous answer]', '[what the journal says]'))
  expect(await runFrom(file)).toMatchObject({ ok: true, value: { output: '[what the journal says]\nnoted' } })
})

describe('live connections', async () => {
  const wire = await openWire()
  afterAll(() => wire.close())
  const messages = readCorpus('scripts/fuzz/corpus/wire').filter((_, index) => index % 5 === 0)

  test.each(Object.entries({ ...wire.readers, ...wire.slow }))(
    '%s ends, whatever it is sent',
    { timeout: 30_000 },
    async (_, read) => {
      for (const text of messages) await read(text, folder)
    },
  )
})

test('a seed repeats its texts', () => {
  const seeds = seedsOf(corpus)
  const texts = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({ length: 20 }, () => mutate(seeds, random))
  }
  expect(texts(7)).toEqual(texts(7))
  expect(texts(7)).not.toEqual(texts(8))
})

describe('documents of the library with one letter changed', () => {
  const documents = libraryDocuments()

  test('a seed repeats them; each differs from its document by one letter', () => {
    const mutants = letterMutants(documents, 120, createRandom(7))
    expect(letterMutants(documents, 120, createRandom(7))).toEqual(mutants)
    expect(letterMutants(documents, 120, createRandom(8))).not.toEqual(mutants)
    for (const { file, text } of mutants) {
      const original = documents.get(file.replace(/^\d+-/, '')) ?? ''
      expect(text).not.toBe(original)
      expect(Math.abs(text.length - original.length)).toBeLessThanOrEqual(1)
    }
  })

  test('none lets an agent pass that another agent cannot fail', { timeout: 120_000 }, async () => {
    const passes = await falsePasses(letterMutants(documents, 54, createRandom(1)))
    expect(passes.map(({ change }) => change)).toEqual([])
  })

  test('a pass that no agent can fail is found, unless proofs are required', async () => {
    const name = 'server-file-uri.oatf.yaml'
    const text = documents.get(name) ?? ''
    const disarmed = text.replace(':0:0:', ':0::')
    expect(disarmed).not.toBe(text)
    expect(await falsePasses([{ file: name, text, change: '' }])).toEqual([])
    const mutant = [{ file: name, text: disarmed, change: '' }]
    expect(await falsePasses(mutant, false)).toEqual(mutant)
    expect(await falsePasses(mutant)).toEqual([])
  })
})

test('a reader that never returns is reported with its input', () => {
  const watch = pathToFileURL(join(repositoryRoot(), 'scripts/dist/fuzz/watch.js')).href
  const program = `import { openWatch } from ${JSON.stringify(watch)}; openWatch(300).begin('loop', 'the text'); for (;;);`
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGTERM',
  })
  expect(signal).toBe('SIGKILL')
  expect(stdout).toBe('FOUND hanging: "loop: the text"\n')
})
