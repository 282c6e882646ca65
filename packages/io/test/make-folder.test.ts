import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../src/make-folder.ts'

test('a folder is made with those above it, and may be there already', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'joust-')), 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

test('a file in the way is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-'))
  writeFileSync(join(folder, 'file'), '')
  expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(/ENOTDIR|EEXIST/)
})

test.skipIf(process.platform !== 'linux')(
  'a file system that makes no folders is an error, not an endless wait',
  () => {
    expect(() => makeFolder('/proc/joust/results')).toThrow()
  },
)
