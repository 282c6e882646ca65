import { existsSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStudioFolder } from '../../src/server/folder.ts'
import { openTestStudio } from './open.ts'

const outside = mkdtempSync(join(tmpdir(), 'joust-studio-outside-'))
writeFileSync(join(outside, 'secret.yaml'), 'secret')

test('lists documents, and nothing of packages, results and hidden folders', async () => {
  const { send } = await openTestStudio({
    'joust.yaml': '',
    'attacks/a.oatf.yaml': '',
    'node_modules/x/y.json': '',
    'joust-results/1/results.json': '',
    '.git/x.json': '',
    'notes.txt': '',
  })
  expect(JSON.parse((await send('GET', '/api/files')).body)).toEqual(['attacks/a.oatf.yaml', 'joust.yaml'])
})

test.each([
  '../secret.yaml',
  '/etc/hosts.yaml',
  'a/../../x.yaml',
  'a\\..\\x.yaml',
  '.env.yaml',
  'x.sh',
  'linked/secret.yaml',
  'link.yaml',
  'linked/new.yaml',
  '',
])('neither reads nor writes %j', async (path) => {
  const { folder } = await openTestStudio({ 'joust.yaml': '' })
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync(join(outside, 'secret.yaml'), join(folder, 'link.yaml'))
  const opened = openStudioFolder(folder)
  expect(opened.read(path)).toMatchObject({ ok: false, error: { status: 400 } })
  expect(opened.save(path, 'mine', undefined)).toMatchObject({ ok: false, error: { status: 400 } })
  expect(readFileSync(join(outside, 'secret.yaml'), 'utf8')).toBe('secret')
  expect(existsSync(join(outside, 'new.yaml'))).toBe(false)
})

test('saves over what was read and over nothing else, and undoes', async () => {
  const { send, folder } = await openTestStudio({ 'a.yaml': 'one' })
  const { version } = JSON.parse((await send('GET', '/api/file?path=a.yaml')).body)
  const save = (text: string, from: string) =>
    send('POST', '/api/save', undefined, { path: 'a.yaml', text, version: from })
  const saved = JSON.parse((await save('two', version)).body)
  expect(saved).toMatchObject({ text: 'two', undo: true })
  expect(await save('three', version)).toMatchObject({ status: 409 })
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('two')
  expect(JSON.parse((await send('POST', '/api/undo', undefined, { path: 'a.yaml' })).body)).toMatchObject({
    text: 'one',
    undo: false,
  })
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe('one')
})

test('does not undo over what somebody else has written', async () => {
  const { folder } = await openTestStudio()
  const opened = openStudioFolder(folder)
  expect(opened.save('new/a.yaml', 'one', undefined).ok).toBe(true)
  writeFileSync(join(folder, 'new/a.yaml'), 'theirs')
  expect(opened.undo('new/a.yaml')).toMatchObject({ ok: false, error: { status: 409 } })
  writeFileSync(join(folder, 'new/a.yaml'), 'one')
  expect(opened.undo('new/a.yaml')).toEqual({ ok: true, value: undefined })
  expect(existsSync(join(folder, 'new/a.yaml'))).toBe(false)
})

test('refuses files that are too large', async () => {
  const { folder } = await openTestStudio({ 'big.yaml': 'x'.repeat(2 * 1024 * 1024 + 1) })
  const opened = openStudioFolder(folder)
  expect(opened.read('big.yaml')).toMatchObject({ ok: false, error: { status: 413 } })
  expect(opened.save('b.yaml', 'x'.repeat(2 * 1024 * 1024 + 1), undefined)).toMatchObject({
    ok: false,
    error: { status: 413 },
  })
})
