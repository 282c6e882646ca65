import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recoverConfig, replaceConfig } from '../../src/index.ts'
import { temporaryFolder } from './support.ts'

function file(text = 'original') {
  const folder = temporaryFolder()
  const path = join(folder, 'mcp.json')
  writeFileSync(path, text)
  chmodSync(path, 0o640)
  return { folder, path, read: () => readFileSync(path, 'utf8') }
}

test('a configuration is replaced and restored, with its mode', () => {
  const { folder, path, read } = file()
  const replaced = replaceConfig(path, 'original', 'rewritten')
  expect([read(), statSync(path).mode & 0o777]).toEqual(['rewritten', 0o640])
  expect(replaced.restore()).toBeUndefined()
  expect([read(), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual(['original', 0o640, ['mcp.json']])
  expect(replaced.restore()).toBeUndefined()
})

test('one that the agent has changed meanwhile is left, and the original is named', () => {
  const { path, read } = file()
  const replaced = replaceConfig(path, 'original', 'rewritten')
  writeFileSync(path, 'changed by the agent')
  expect(replaced.restore()).toContain(`was not restored; the original is ${path}.joust-`)
  expect(read()).toBe('changed by the agent')
})

test('one that a killed recorder has left is restored', () => {
  const { path, read } = file()
  replaceConfig(path, 'original', 'rewritten')
  // No process has this number.
  renameSync(`${path}.joust-${process.pid}`, `${path}.joust-4999999`)
  expect(recoverConfig(path)).toEqual({ ok: true, value: true })
  expect(read()).toBe('original')
  expect(recoverConfig(path)).toEqual({ ok: true, value: false })
})

test('one that another recorder uses is refused', () => {
  const { path } = file()
  writeFileSync(`${path}.joust-${process.ppid}`, 'original')
  expect(recoverConfig(path)).toMatchObject({
    ok: false,
    error: expect.stringContaining('is in use by another recording'),
  })
  expect(existsSync(`${path}.joust-${process.ppid}`)).toBe(true)
})

test('a link is not followed', () => {
  const { folder, path } = file()
  const link = join(folder, 'link.json')
  symlinkSync(path, link)
  expect(() => replaceConfig(link, 'original', 'rewritten')).toThrow('symbolic links are not followed')
})
