import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  beginsWith,
  makeFolder,
  openToRead,
  openToWrite,
  pathInside,
  readBounded,
  replaceFile,
  replaceOwn,
  writeAll,
} from '../src/index.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'joust-files-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('reads a small file and rejects a large one', () => {
  const path = join(home, 'a')
  writeFileSync(path, '12345')
  expect(readBounded(path, 5)).toEqual(Buffer.from('12345'))
  expect(() => readBounded(path, 4)).toThrow('larger than 4 bytes')
})

test('does not wait for a pipe and does not read a device', () => {
  execFileSync('mkfifo', [join(home, 'pipe')])
  expect(() => openToRead(join(home, 'pipe'))).toThrow('not a regular file')
  expect(() => readBounded('/dev/zero', 10)).toThrow('not a regular file')
  expect(() => openToRead(home)).toThrow('directory')
})

test('writes private files and overwrites only files of its own kind', () => {
  const path = join(home, 'a')
  const write = (text: string, append = false) => writeAll(openToWrite(path, { mark: '{"ours":', append }), text)
  write('{"ours":1}')
  expect(lstatSync(path).mode & 0o777).toBe(0o600)
  write('{"ours":2}\n')
  write('more', true)
  expect(readFileSync(path, 'utf8')).toBe('{"ours":2}\nmore')
  writeFileSync(path, 'a diary')
  expect(() => write('{"ours":3}')).toThrow('Joust did not write it')
  expect(readFileSync(path, 'utf8')).toBe('a diary')
})

test('does not follow links, not even broken ones', () => {
  writeFileSync(join(home, 'diary'), '{"ours":')
  for (const to of ['diary', 'nowhere']) {
    const path = join(home, `to-${to}`)
    symlinkSync(to, path)
    expect(() => openToWrite(path, { mark: '{"ours":' })).toThrow('symbolic link')
    expect(() => replaceOwn(path, 'x', () => true)).toThrow('symbolic link')
  }
  expect(readFileSync(join(home, 'diary'), 'utf8')).toBe('{"ours":')
})

test('replaces a file atomically and leaves no temporary file after a failure', () => {
  const path = join(home, 'a')
  const isOwn = (there: string) => beginsWith(there, 'ours')
  replaceOwn(path, 'ours 1', isOwn)
  replaceOwn(path, 'theirs', isOwn)
  expect(() => replaceOwn(path, 'ours 2', isOwn)).toThrow('Joust did not write it')
  // A folder cannot be replaced by a file.
  mkdirSync(join(home, 'folder'))
  expect(() => replaceFile(join(home, 'folder'), 'x', 0o600)).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(execFileSync('ls', ['-A', home], { encoding: 'utf8' })).toBe('a\nfolder\n')
})

test('creates a folder and its parents, and accepts an existing one', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'joust-')), 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  expect(statSync(path).isDirectory()).toBe(true)
})

test('fails when a parent is a file', () => {
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

test('resolves a path inside a folder, and rejects names and links that escape it', async () => {
  const folder = join(realpathSync(home), 'folder')
  makeFolder(folder)
  writeFileSync(join(home, 'outside'), '')
  writeFileSync(join(folder, 'inside'), '')
  symlinkSync('inside', join(folder, 'alias'))
  symlinkSync(join(home, 'outside'), join(folder, 'link'))
  expect(await pathInside(folder, 'alias')).toBe(join(folder, 'inside'))
  for (const name of ['link', '../outside', 'x/../../outside', join(home, 'outside'), '', '.', '..'])
    expect(await pathInside(folder, name), name).toBeUndefined()
  await expect(pathInside(folder, 'missing')).rejects.toThrow('ENOENT')
})
