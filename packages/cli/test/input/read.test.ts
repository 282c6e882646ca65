import { expect, test } from 'vitest'
import { readText } from '../../src/input/read.ts'
import { folder, memoryIo } from '../world.ts'

const code = async (path: string) => {
  const read = await readText(path, memoryIo().io)
  return read.ok ? 'ok' : read.error.code
}

test('text, without a byte order mark', async () => {
  const cwd = folder({ 'a.yaml': '\ufeffä: 1' })
  expect(await readText(`${cwd}/a.yaml`, memoryIo().io)).toEqual({ ok: true, value: 'ä: 1' })
})

test('standard input', async () => {
  expect(await readText('-', memoryIo({ stdin: 'x' }).io)).toEqual({ ok: true, value: 'x' })
  const large = await readText('-', memoryIo({ stdin: ' '.repeat(5_000_000) }).io)
  expect(large).toMatchObject({
    ok: false,
    error: { code: 'too-large', message: expect.stringContaining('yamlBytes') },
  })
})

test('everything else is a finding', async () => {
  const cwd = folder({
    'utf-16.yaml': new Uint8Array([0xff, 0xfe, 0x6f, 0x00]),
    'picture.yaml': new Uint8Array([0x89, 0x50, 0x00]),
    'latin.yaml': new Uint8Array([0xe4]),
  })
  expect(await code(`${cwd}/none`)).toBe('missing')
  expect(await code(cwd)).toBe('not-a-file')
  expect(await code(`${cwd}/utf-16.yaml`)).toBe('not-utf-8')
  expect(await code(`${cwd}/picture.yaml`)).toBe('binary')
  expect(await code(`${cwd}/latin.yaml`)).toBe('not-utf-8')
})

test.skipIf(process.platform === 'win32')('an endless file is not read', async () => {
  expect(await code('/dev/zero')).toBe('not-a-file')
})
