/** What the fuzzer begins with: every text of its corpus through every reader. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createRandom, mutate } from '../../scripts/fuzz-mutate.ts'
import { readCorpus, readers } from '../../scripts/fuzz-readers.ts'
import { openWire } from '../../scripts/fuzz-wire.ts'

const folder = mkdtempSync(join(tmpdir(), 'joust-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const corpus = readCorpus('scripts/fuzz-corpus')

test.each(Object.entries(readers))('%s answers, whatever it is given', async (_, read) => {
  expect(corpus.length).toBeGreaterThan(20)
  for (const text of corpus) await read(text, folder)
})

describe('live connections', async () => {
  const wire = await openWire()
  afterAll(() => wire.close())
  const messages = readCorpus('scripts/fuzz-corpus/wire').filter((_, index) => index % 5 === 0)

  test.each(Object.entries(wire.readers))('%s ends, whatever it is sent', { timeout: 30_000 }, async (_, read) => {
    for (const text of messages) await read(text, folder)
  })
})

test('a seed repeats its texts', () => {
  const texts = (seed: number) => {
    const random = createRandom(seed)
    return Array.from({ length: 20 }, () => mutate(corpus, random))
  }
  expect(texts(7)).toEqual(texts(7))
  expect(texts(7)).not.toEqual(texts(8))
})
