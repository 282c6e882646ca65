import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, repositoryRoot } from '../../../../scripts/repository.ts'
import type { Redacted } from '../../src/model/redacted.ts'
import type { Trial } from '../../src/model/results.ts'

test('only @joust/results marks a value as redacted', () => {
  const root = repositoryRoot()
  const files = ['.ts', '.tsx'].flatMap((ending) => filesBelow(root, 'packages', ending))
  const saying = files
    .filter((file) => file.split('/')[2] === 'src')
    .filter((file) => /\bas Redacted</.test(readFileSync(join(root, file), 'utf8')))
  expect(saying.filter((file) => !file.startsWith('packages/results/src/'))).toEqual([])
  expect(saying.length).toBeGreaterThan(0)
})

test('a modified copy does not have the brand', () => {
  const copy = (trial: Redacted<Trial>): Redacted<Trial> =>
    // @ts-expect-error: the brand is not copied
    ({ ...trial, reasons: ['my key is 12345'] })
  expect(copy).toBeInstanceOf(Function)
})
