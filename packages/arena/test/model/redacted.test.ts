import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, repositoryRoot } from '../../../../scripts/repository.ts'
import type { Redacted } from '../../src/model/redacted.ts'
import type { Trial } from '../../src/results/model.ts'

test('only results/ of the arena says of something that it has no secrets', () => {
  const root = repositoryRoot()
  const files = ['.ts', '.tsx'].flatMap((ending) => filesBelow(root, 'packages', ending))
  const saying = files
    .filter((file) => file.split('/')[2] === 'src')
    .filter((file) => /\bas Redacted</.test(readFileSync(join(root, file), 'utf8')))
  expect(saying.filter((file) => !file.startsWith('packages/arena/src/results/'))).toEqual([])
  expect(saying.length).toBeGreaterThan(0)
})

test('a copy with something else in it is not taken for redacted', () => {
  const copy = (trial: Redacted<Trial>): Redacted<Trial> =>
    // @ts-expect-error: the brand is not copied
    ({ ...trial, reasons: ['my key is 12345'] })
  expect(copy).toBeInstanceOf(Function)
})
