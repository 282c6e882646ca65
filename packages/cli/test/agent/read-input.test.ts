import { expect, test } from 'vitest'
import { readInput } from '../../src/agent/read-input.ts'
import { folder, memoryIo } from '../world.ts'

async function read(word: string, world: Parameters<typeof memoryIo>[0] = {}) {
  const { io, stderr } = memoryIo(world)
  return { result: await readInput(word, io), said: stderr.join('') }
}

test('JSON as it stands, from a file, from standard input', async () => {
  expect(await read('{"a": [1, null]}')).toEqual({ result: { ok: true, value: { a: [1, null] } }, said: '' })
  const cwd = folder({ 'in.json': '"x"' })
  expect((await read('@in.json', { cwd })).result).toEqual({ ok: true, value: 'x' })
  expect((await read('-', { stdin: '5' })).result).toEqual({ ok: true, value: 5 })
})

test.each([
  ['hello', '--input:1:1: not JSON', `--input '"hello"'`],
  ['{a: 1}', '--input:1:2: not JSON', 'the shell may have taken the quotes'],
  ['', '--input', 'a text is written with its quotes'],
  ['@none.json', 'none.json: no such file', ''],
  ['@bad.json', 'bad.json:2:1: not JSON', ''],
  ['@.', 'this is a directory', ''],
])('%j is wrong usage', async (word, message, hint) => {
  const { result, said } = await read(word, { cwd: folder({ 'bad.json': '{\n' }) })
  expect(result).toEqual({ ok: false, error: 64 })
  expect(said).toContain(message)
  expect(said).toContain(hint)
})
