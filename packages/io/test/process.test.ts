import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createLineSplitter } from '../src/lines.ts'
import { keepTail, type ProcessOptions, startProcess } from '../src/process.ts'

const node = (program: string, more: Partial<ProcessOptions> = {}) =>
  startProcess({ command: process.execPath, args: ['-e', program], ...more })

/** The first lines that a process writes. */
async function firstLines(stdout: AsyncIterable<Uint8Array>, count: number): Promise<string[]> {
  const splitter = createLineSplitter(1000)
  const lines: string[] = []
  for await (const chunk of stdout) {
    lines.push(...splitter.push(chunk).map(({ text }) => text))
    if (lines.length >= count) break
  }
  return lines
}

/** True for a running process; a zombie is not running. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const heedless = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);'
const starting = (program: string, options: string) =>
  `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(program)}], ${options});`

test.each([
  ['a command that is not there', { command: 'no-such-command-here' }],
  ['a directory that is not there', { command: process.execPath, cwd: '/no/such/place' }],
  ['a command that cannot be', { command: 'a\0b' }],
])('%s is a rejection', async (_, options) => {
  await expect(startProcess(options)).rejects.toThrow(/ENOENT|null bytes/)
})

test('reports the exit status and the last output', async () => {
  const child = await node('console.error("x".repeat(50) + "why"); process.exitCode = 3')
  const heard: string[] = []
  const tail = keepTail([child.stderr], 5, (text) => heard.push(text))
  child.stdout.resume()
  expect(await child.gone).toEqual({ code: 3, text: 'exited with code 3' })
  expect([tail(), heard.join('').length]).toEqual(['why\n'.padStart(5, 'x'), 54])
  child.stdin.write('ignored')
  child.signal('SIGTERM')
})

test('sees only the given environment', async () => {
  const child = await node('console.log(Object.keys(process.env).join())', { env: { GIVEN: 'yes' } })
  expect(await firstLines(child.stdout, 1)).toEqual(['GIVEN'])
  await child.close(1000)
})

test('ends when its input ends', async () => {
  const child = await node('process.stdin.resume()')
  child.stdout.resume()
  child.stderr.resume()
  expect(await child.close(10_000)).toBe(true)
  expect(await child.exited).toMatchObject({ code: 0 })
})

test('kills a process that ignores signals, with its children', async () => {
  const child = await node(
    `${heedless}${starting(`${heedless} console.log(process.pid)`, '{ stdio: "inherit" }')} console.log(process.pid)`,
  )
  const pids = (await firstLines(child.stdout, 2)).map(Number)
  expect(pids.map(lives)).toEqual([true, true])
  expect(await child.close(20)).toBe(true)
  expect(await child.exited).toEqual({ text: 'ended by SIGKILL' })
  await vi.waitFor(() => expect(pids.map(lives)).toEqual([false, false]), 5000)
})

test('closes even if a process outside the group keeps the streams open', async () => {
  const holder = starting('setTimeout(() => {}, 20_000)', '{ stdio: "inherit", detached: true }')
  const child = await node(`${holder} console.log(child.pid)`)
  const [pid = ''] = await firstLines(child.stdout, 1)
  expect(await child.close(20)).toBe(true)
  expect(lives(Number(pid))).toBe(true)
  process.kill(Number(pid), 'SIGKILL')
})

test('does not outlive the process that started it', async () => {
  const module = JSON.stringify(join(import.meta.dirname, '../dist/index.js'))
  const parent = await node(
    `import(${module}).then(async ({ startProcess }) => {
      const child = await startProcess({ command: process.execPath, args: ["-e", ${JSON.stringify(`${heedless} console.log(process.pid)`)}] })
      child.stdout.once("data", (pid) => process.stdout.write(pid, () => process.exit(0)))
    })`,
  )
  const [pid = ''] = await firstLines(parent.stdout, 1)
  expect(await parent.exited).toMatchObject({ code: 0 })
  await vi.waitFor(() => expect(lives(Number(pid))).toBe(false), 5000)
})

test('additional pipes go both ways', async () => {
  const program = `
    const { createReadStream, createWriteStream } = require('node:fs')
    createReadStream(null, { fd: 3 }).on('data', (data) => createWriteStream(null, { fd: 4 }).write(data + '!'))`
  const child = await node(program, { pipes: 2 })
  const [input, output] = child.pipes
  input?.write('hello')
  const answer = await new Promise<string>((resolve) => output?.once('data', (data: Buffer) => resolve(String(data))))
  expect([child.pipes.length, answer]).toEqual([2, 'hello!'])
  expect(await child.end(1000)).toBe(true)
})
