import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { openStudioFolder } from '../../src/server/folder.ts'
import { openTestStudio } from './open.ts'

const outside = mkdtempSync(join(tmpdir(), 'joust-studio-outside-'))
writeFileSync(join(outside, 'secret.yaml'), 'secret')

test('a new file has the mode of the umask; an existing file keeps its mode', () => {
  const root = mkdtempSync(join(tmpdir(), 'joust-studio-mode-'))
  const modeOf = () => statSync(join(root, 'a.yaml')).mode & 0o777
  const files = openStudioFolder(root)
  const before = process.umask(0o077)
  try {
    const made = files.save('a.yaml', 'a: 1\n', undefined)
    expect(modeOf()).toBe(0o600)
    chmodSync(join(root, 'a.yaml'), 0o664)
    expect(files.save('a.yaml', 'a: 2\n', made.ok ? made.value.version : '')).toMatchObject({ ok: true })
    expect(modeOf()).toBe(0o664)
  } finally {
    process.umask(before)
  }
})

test('lists documents, but not packages, results and hidden folders', async () => {
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
  'a/node_modules/x.json',
  'a/dist/x.yaml',
  'package-lock.json',
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

test('saves only over the version that was read, and undoes a save', async () => {
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

test('does not undo a save after the file has changed on disk', async () => {
  const { folder } = await openTestStudio()
  const opened = openStudioFolder(folder)
  expect(opened.save('new/a.yaml', 'one', undefined).ok).toBe(true)
  writeFileSync(join(folder, 'new/a.yaml'), 'theirs')
  expect(opened.undo('new/a.yaml')).toMatchObject({ ok: false, error: { status: 409 } })
  writeFileSync(join(folder, 'new/a.yaml'), 'one')
  expect(opened.undo('new/a.yaml')).toEqual({ ok: true, value: undefined })
  expect(existsSync(join(folder, 'new/a.yaml'))).toBe(false)
})

test('undo of the setup deletes only files that it created', async () => {
  const written = ['joust.yaml', '.joust/joust.schema.json', 'agent.mjs']
  const init = async () => {
    mkdirSync(join(studio.folder, '.joust'))
    for (const name of written) writeFileSync(join(studio.folder, name), 'new')
    return { text: 'wrote', wrote: [...written, '../outside.yaml'] }
  }
  const studio = await openTestStudio({ 'kept.yaml': '' }, { init })
  const undo = (path: string) => studio.send('POST', '/api/undo', undefined, { path })
  expect(await undo('joust.yaml')).toMatchObject({ status: 404 })
  expect(await studio.send('POST', '/api/init', undefined, {})).toMatchObject({ status: 200 })
  writeFileSync(join(studio.folder, 'agent.mjs'), 'edited')
  expect((await undo('agent.mjs')).status).toBe(409)
  for (const path of ['joust.yaml', '.joust/joust.schema.json']) expect((await undo(path)).status).toBe(200)
  for (const path of ['kept.yaml', '../outside.yaml']) expect((await undo(path)).status).toBe(404)
  const left = ['joust.yaml', '.joust/joust.schema.json', 'agent.mjs', 'kept.yaml']
  expect(left.filter((name) => existsSync(join(studio.folder, name)))).toEqual(['agent.mjs', 'kept.yaml'])
})

test('beyond the limit, the deepest files are not listed', async () => {
  const { folder } = await openTestStudio({ 'a/deep/1.yaml': '', 'a/2.yaml': '', 'z.yaml': '', 'y.txt': '' })
  const list = (bounds: Partial<Record<'files' | 'entries' | 'depth', number>>) =>
    openStudioFolder(folder, { ...limits, ...bounds }).list()
  expect(list({})).toEqual(['a/2.yaml', 'a/deep/1.yaml', 'z.yaml'])
  expect(list({ files: 2 })).toEqual(['a/2.yaml', 'z.yaml'])
  expect(list({ depth: 0 })).toEqual(['z.yaml'])
  expect(list({ entries: 3 })).toEqual(['z.yaml'])
})

test('rejects files that are too large', async () => {
  const { folder } = await openTestStudio({ 'big.yaml': 'x'.repeat(2 * 1024 * 1024 + 1) })
  const opened = openStudioFolder(folder)
  expect(opened.read('big.yaml')).toMatchObject({ ok: false, error: { status: 413 } })
  expect(opened.save('b.yaml', 'x'.repeat(2 * 1024 * 1024 + 1), undefined)).toMatchObject({
    ok: false,
    error: { status: 413 },
  })
})
