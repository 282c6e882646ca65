import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadResults, saveResults } from '../../src/files/folder.ts'
import { loadPackedResults } from '../../src/files/packed.ts'
import { attackOf, resultsOf } from '../support/results.ts'

test('packed results are those of the file, on every access and in every pass', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-packed-'))
  try {
    saveResults(folder, resultsOf([attackOf('a', '€'), attackOf('b', 'en')]))
    const packed = await loadPackedResults(folder)
    expect(packed).toEqual(await loadResults(folder))
    const attacks = packed.ok ? (packed.value.results.targets[0]?.attacks ?? []) : []
    expect(attacks.map(({ attack }) => attack.id)).toEqual(attacks.flatMap(({ attack }) => [attack.id]))
    expect([...attacks].length).toBe(attacks.length)
    expect(attacks[0]).toEqual(attacks[0])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a file that is not a results file has the same errors', async () => {
  expect(await loadPackedResults('/nowhere')).toEqual(await loadResults('/nowhere'))
})
