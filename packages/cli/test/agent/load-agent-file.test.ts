import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileSources, loadAgentFile } from '../../src/agent/load-agent-file.ts'
import { agentText, teamText } from '../agents.ts'
import { folder, memoryIo } from '../world.ts'

function sources(cwd: string, name = 'home/a.agf.yaml') {
  return fileSources({ name, path: join(cwd, name), text: 'the entry' }, memoryIo({ cwd }).io)
}

function reading(cwd: string, source: string, from = 'home/a.agf.yaml', sourceType = 'file') {
  return sources(cwd).read({ source, sourceType, from })
}

test('reads the entry once and others relative to the file that names them, and keeps the texts', async () => {
  const cwd = folder({ 'home/sub/b.yaml': 'b', 'home/c.yaml': 'c' })
  const { read, texts } = sources(cwd)
  expect(await read({ source: 'home/a.agf.yaml', sourceType: 'file' })).toBe('the entry')
  expect(await read({ source: 'sub/b.yaml', sourceType: 'file', from: 'home/a.agf.yaml' })).toBe('b')
  expect(await read({ source: '../c.yaml', sourceType: 'file', from: 'home/sub/b.yaml' })).toBe('c')
  expect([...texts.keys()]).toEqual(['home/a.agf.yaml', 'home/sub/b.yaml', 'home/c.yaml'])
})

test('the file itself is reported first, then the others by name, in any order of reading', async () => {
  const cwd = folder({ 'c.yaml': agentText(), 'a.yaml': agentText(), 'b.yaml': agentText() })
  const entry = { name: 'team.yaml', path: join(cwd, 'team.yaml'), text: teamText('c.yaml', 'a.yaml', 'b.yaml') }
  const { reports } = await loadAgentFile(entry, memoryIo({ cwd }).io)
  expect(reports.map(({ name }) => name)).toEqual(['team.yaml', 'a.yaml', 'b.yaml', 'c.yaml'])
})

test('an agent on standard input finds files from the working directory', async () => {
  const cwd = folder({ 'b.yaml': 'b' })
  const { read } = sources(cwd, '<stdin>')
  expect(await read({ source: 'b.yaml', sourceType: 'file', from: '<stdin>' })).toBe('b')
})

test.each(['../secret.yaml', 'sub/../../secret.yaml', '/etc/passwd/../../etc/hostname'])(
  'a path stays inside the folder: %s',
  async (source) => {
    const cwd = folder({ 'secret.yaml': 'secret', 'home/sub/b.yaml': 'b', 'home/a.agf.yaml': '' })
    await expect(reading(cwd, source)).rejects.toThrow(/is outside the folder|no such file/)
  },
)

test('links to files or folders outside are rejected, those inside are not', async () => {
  const cwd = folder({ 'secret.yaml': 'secret', 'out/x.yaml': 'secret', 'home/b.yaml': 'b' })
  symlinkSync('../secret.yaml', join(cwd, 'home/link.yaml'))
  symlinkSync('../out', join(cwd, 'home/folder'))
  symlinkSync('b.yaml', join(cwd, 'home/near.yaml'))
  await expect(reading(cwd, 'link.yaml')).rejects.toThrow('outside the folder of the first document')
  await expect(reading(cwd, 'folder/x.yaml')).rejects.toThrow('outside the folder')
  expect(await reading(cwd, 'near.yaml')).toBe('b')
})

test('other file types are rejected, a pipe without waiting for it', async () => {
  const cwd = folder({ 'home/a.agf.yaml': '', 'home/bytes.yaml': new Uint8Array([0, 1]) })
  mkdirSync(join(cwd, 'home/d.yaml'))
  symlinkSync('loop.yaml', join(cwd, 'home/loop.yaml'))
  await expect(reading(cwd, 'none.yaml')).rejects.toThrow('no such file')
  await expect(reading(cwd, 'd.yaml')).rejects.toThrow('not a regular file')
  await expect(reading(cwd, 'bytes.yaml')).rejects.toThrow('this is a binary file')
  await expect(reading(cwd, 'loop.yaml')).rejects.toThrow('cannot be accessed (ELOOP)')
  if (process.platform !== 'win32') {
    execFileSync('mkfifo', [join(cwd, 'home/pipe.yaml')])
    await expect(reading(cwd, 'pipe.yaml')).rejects.toThrow('not a regular file')
  }
})

test('other kinds of sources are not known', async () => {
  const cwd = folder({ 'home/b.yaml': 'b' })
  await expect(reading(cwd, 'b.yaml', 'home/a.agf.yaml', 'registry')).rejects.toThrow(
    'unknown source type "registry"; expected "file"',
  )
})
