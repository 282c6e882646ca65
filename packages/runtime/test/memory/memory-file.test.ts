import { execFile } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryFile } from '../../src/memory/memory-file.ts'
import { runtimeLimits } from '../../src/model/limits.ts'

function memoryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'joust-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'memory.jsonl')
}

const turn = (text: string) => ({ agent: 'clerk', input: text, output: `about ${text}` })

test('a turn is recalled by another provider, in its scope only', async () => {
  const file = memoryFile()
  await createMemoryFile(file).remember('ada', turn('tea'))
  await createMemoryFile(file).remember('bo', turn('cake'))
  expect(await createMemoryFile(file).recall('ada')).toEqual([turn('tea')])
  expect(await createMemoryFile(file).recall('nobody')).toEqual([])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a provider sees turns that another process has added', async () => {
  const file = memoryFile()
  const memory = createMemoryFile(file)
  await memory.remember('ada', turn('one'))
  expect(await memory.recall('ada')).toHaveLength(1)
  await createMemoryFile(file).remember('ada', turn('two'))
  expect(await memory.recall('ada')).toEqual([turn('one'), turn('two')])
})

test('the oldest turns of a scope are dropped, and the file shrinks', async () => {
  const file = memoryFile()
  const memory = createMemoryFile(file, { turns: 2 })
  await memory.remember('bo', turn('kept'))
  for (let number = 0; number < 9; number++) await memory.remember('ada', turn(String(number)))
  expect(await memory.recall('ada')).toEqual([turn('7'), turn('8')])
  expect(await memory.recall('bo')).toEqual([turn('kept')])
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(8)
})

test('a line that a crash cut off is dropped; the turns before and after it stay', async () => {
  const file = memoryFile()
  await createMemoryFile(file).remember('ada', turn('one'))
  appendFileSync(file, '{"scope":"ada","agent":"cl')
  expect(await createMemoryFile(file).recall('ada')).toEqual([turn('one')])
  await createMemoryFile(file).remember('ada', turn('two'))
  expect(await createMemoryFile(file).recall('ada')).toEqual([turn('one'), turn('two')])
})

test('other damage and other files are errors with a place, and are not overwritten', async () => {
  const file = memoryFile()
  await createMemoryFile(file).remember('ada', turn('one'))
  appendFileSync(file, 'nonsense\n')
  const damaged = readFileSync(file, 'utf8')
  expect(() => createMemoryFile(file).recall('ada')).toThrow(`${file}:3 is damaged`)
  await expect(createMemoryFile(file).remember('ada', turn('two'))).rejects.toThrow('is damaged')
  expect(readFileSync(file, 'utf8')).toBe(damaged)
  writeFileSync(file, 'a text of mine\n')
  expect(() => createMemoryFile(file).recall('ada')).toThrow('is not a memory file')
})

test('a lock of another machine is waited for, then refused', async () => {
  const file = memoryFile()
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, started: 1, host: `not-${hostname()}` }))
  const waiting = createMemoryFile(file).remember('ada', turn('one'))
  setTimeout(() => rmSync(`${file}.lock`), 50)
  await waiting
  expect(await createMemoryFile(file).recall('ada')).toEqual([turn('one')])
})

test('a turn waits beside a file that stays locked, and the next writer adds it', {
  timeout: 3 * runtimeLimits.memoryLockMs,
}, async () => {
  const file = memoryFile()
  await createMemoryFile(file).remember('ada', turn('one'))
  const text = readFileSync(file, 'utf8')
  writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, started: 1, host: `not-${hostname()}` }))
  const refused = (words: string) =>
    expect(createMemoryFile(file).remember('ada', turn(words))).rejects.toThrow(
      /the memory is locked.*the turn is kept in/,
    )
  await Promise.all([refused('two'), refused('two')])
  // Known at once, and to other processes.
  expect(await createMemoryFile(file).recall('ada')).toEqual([turn('one'), turn('two'), turn('two')])
  expect(readFileSync(file, 'utf8')).toBe(text)
  const waiting = () => readdirSync(dirname(file)).filter((name) => name.includes('waiting'))
  for (const name of waiting()) expect(statSync(join(dirname(file), name)).mode & 0o777).toBe(0o600)
  rmSync(`${file}.lock`)
  await createMemoryFile(file).remember('ada', turn('three'))
  expect(waiting()).toEqual([])
  const all = [turn('one'), turn('two'), turn('two'), turn('three')]
  expect(await createMemoryFile(file).recall('ada')).toEqual(all)
})

test('a full file drops its oldest turns, of any scope, and stays readable', { timeout: 120_000 }, async () => {
  const file = memoryFile()
  const memory = createMemoryFile(file)
  const large = 'x'.repeat(runtimeLimits.memoryFileBytes / 16)
  for (let number = 0; number < 20; number++)
    await memory.remember(`scope ${number % 2}`, { agent: 'clerk', input: number, output: large })
  expect(statSync(file).size).toBeLessThanOrEqual(runtimeLimits.memoryFileBytes)
  expect((await createMemoryFile(file).recall('scope 1')).at(-1)?.input).toBe(19)
  const huge = 'x'.repeat(runtimeLimits.memoryFileBytes / 2)
  await expect(memory.remember('scope 1', { agent: 'clerk', input: 20, output: huge })).rejects.toThrow('too large')
  expect((await createMemoryFile(file).recall('scope 1')).at(-1)?.input).toBe(19)
})

test('several processes lose no turn', { timeout: 60_000 }, async () => {
  const file = memoryFile()
  const module = fileURLToPath(new URL('../../dist/index.js', import.meta.url))
  const script = `
    import { createMemoryFile } from ${JSON.stringify(module)}
    const memory = createMemoryFile(process.argv[1])
    for (let number = 0; number < 20; number++)
      await memory.remember(process.argv[2], { agent: 'clerk', input: number, output: number })`
  const writers = ['a', 'b', 'c'].map((scope) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, file, scope]),
  )
  await Promise.all(writers)
  const memory = createMemoryFile(file)
  for (const scope of ['a', 'b', 'c'])
    expect((await memory.recall(scope)).map(({ input }) => input)).toEqual(Array.from({ length: 20 }, (_, at) => at))
})
