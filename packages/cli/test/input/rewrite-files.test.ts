import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rewriteFile } from '../../src/input/rewrite-files.ts'
import { folder } from '../world.ts'

test('replaces the content', () => {
  const cwd = folder({ a: 'old' })
  expect(rewriteFile(join(cwd, 'a'), 'new')).toBeUndefined()
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('new')
  expect(readdirSync(cwd)).toEqual(['a'])
})

test('leaves a byte order mark', () => {
  const cwd = folder({ a: '\ufeffold' })
  expect(rewriteFile(join(cwd, 'a'), 'new')).toBeUndefined()
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('\ufeffnew')
})

test('has a reason if it failed', () => {
  expect(rewriteFile(join(folder(), 'none'), 'new')).toContain('ENOENT')
})

test.skipIf(process.getuid?.() === 0)('respects write protection', () => {
  const cwd = folder({ a: 'old' })
  chmodSync(join(cwd, 'a'), 0o444)
  expect(rewriteFile(join(cwd, 'a'), 'new')).toContain('EACCES')
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('old')
})

test('keeps the mode, also where the umask would not, and follows a link', () => {
  const cwd = folder({ a: 'old' })
  chmodSync(join(cwd, 'a'), 0o666)
  symlinkSync('a', join(cwd, 'b'))
  expect(rewriteFile(join(cwd, 'b'), 'new')).toBeUndefined()
  expect(readFileSync(join(cwd, 'a'), 'utf8')).toBe('new')
  expect(statSync(join(cwd, 'a')).mode & 0o777).toBe(0o666)
  expect(lstatSync(join(cwd, 'b')).isSymbolicLink()).toBe(true)
})
