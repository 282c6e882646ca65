import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from '../../src/input/replace-file.ts'
import { folder } from '../world.ts'

test('replaces the content', () => {
  const cwd = folder({ a: 'old' })
  expect(replaceFile(join(cwd, 'a'), 'new')).toBeUndefined()
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('new')
  expect(readdirSync(cwd)).toEqual(['a'])
})

test('leaves a byte order mark', () => {
  const cwd = folder({ a: '\ufeffold' })
  expect(replaceFile(join(cwd, 'a'), 'new')).toBeUndefined()
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('\ufeffnew')
})

test('says why it could not', () => {
  expect(replaceFile(join(folder(), 'none'), 'new')).toContain('ENOENT')
})

test.skipIf(process.getuid?.() === 0)('respects write protection', () => {
  const cwd = folder({ a: 'old' })
  chmodSync(join(cwd, 'a'), 0o444)
  expect(replaceFile(join(cwd, 'a'), 'new')).toContain('EACCES')
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('old')
})

test('leaves nothing behind when a foreign file is in the way', () => {
  const cwd = folder({ a: 'old', [`.a.${process.pid}.tmp`]: 'foreign' })
  expect(replaceFile(join(cwd, 'a'), 'new')).toContain('EEXIST')
  expect(readFileSync(join(cwd, `.a.${process.pid}.tmp`), 'utf8')).toBe('foreign')
})
