import { afterEach, expect, test } from 'vitest'
import type { Pipe } from '../../src/model/wiring.ts'
import { type SpawnOptions, spawnPipe } from '../../src/transport/child-process.ts'
import { dead, lives } from '../support/processes.ts'
import { describePipe, nextOf } from './pipe-contract.ts'
import { handlesReleased, openHandles } from './resources.ts'

const before = openHandles()
const pipes: Pipe[] = []
afterEach(async () => {
  await Promise.all(pipes.splice(0).map((pipe) => pipe.close()))
  await handlesReleased(before)
})

/** A process that runs a program of ours. */
async function run(program: string, more: Partial<SpawnOptions> = {}) {
  const pipe = await spawnPipe({ command: process.execPath, args: ['-e', program], maxLineBytes: 1000, ...more })()
  pipes.push(pipe)
  return { pipe, lines: pipe.lines[Symbol.asyncIterator]() }
}

describePipe('a pipe to a process', () =>
  spawnPipe({ command: process.execPath, args: ['-e', 'process.stdin.pipe(process.stdout)'], maxLineBytes: 1000 })(),
)

test.each([
  ['a command that is not there', { command: 'no-such-command-here' }, /cannot start "no-such-command-here": .*ENOENT/],
  [
    'a directory that is not there',
    { command: process.execPath, cwd: '/no/such/place' },
    / in \/no\/such\/place: .*ENOENT/,
  ],
  ['a command that cannot be', { command: 'a\0b' }, /cannot start "a\\u0000b"/],
  ['no command', { command: '' }, /cannot start ""/],
])('%s cannot be started', async (_what, options, message) => {
  await expect(spawnPipe({ ...options, maxLineBytes: 1 })()).rejects.toMatchObject({
    name: 'ArenaError',
    code: 'connect_failed',
    message: expect.stringMatching(message),
  })
})

test('a process that exits reports its exit code and the end of its standard error', async () => {
  const heard: string[] = []
  const { pipe, lines } = await run(
    'console.log("bye"); console.error("x".repeat(5000) + "why"); process.exitCode = 3',
    {
      onStderr: (text) => heard.push(text),
    },
  )
  expect([await nextOf(lines), await nextOf(lines)]).toEqual([{ text: 'bye' }, undefined])
  expect(pipe.ending()).toMatch(/^exited with code 3; stderr: x{1996}why$/)
  expect(heard.join('')).toHaveLength(5004)
  await pipe.send('lost')
})

test('a process that is killed in the middle of a line', async () => {
  const { pipe, lines } = await run('process.stdout.write("one\\nhal", () => process.kill(process.pid, "SIGKILL"))')
  expect([await nextOf(lines), await nextOf(lines), await nextOf(lines)]).toEqual([
    { text: 'one' },
    { text: 'hal' },
    undefined,
  ])
  expect(pipe.ending()).toBe('ended by SIGKILL')
})

test('a process that closed its input does not crash this one', async () => {
  const { pipe, lines } = await run(
    'require("node:fs").closeSync(0); console.log("ready"); setInterval(() => {}, 1000)',
    {
      closeMs: 20,
    },
  )
  await nextOf(lines)
  for (let count = 0; count < 20; count++) await pipe.send('x'.repeat(10_000))
  await pipe.close()
  expect(pipe.ending()).toMatch(/^ended by SIG(TERM|KILL)$/)
})

test('a process that reads nothing holds a writer until it is closed', async () => {
  const { pipe } = await run('setInterval(() => {}, 1000)', { closeMs: 20 })
  const waiting = pipe.send('x'.repeat(1_000_000))
  await pipe.close()
  await waiting
})

test('a line of ten megabytes is cut, and the next one is read', async () => {
  const { lines } = await run('process.stdout.write("x".repeat(10_000_000) + "\\nnext\\n")')
  const long = await nextOf(lines)
  expect([long?.text.length, long?.fault]).toEqual([1000, 'longer than 1000 bytes'])
  expect(await nextOf(lines)).toEqual({ text: 'next' })
})

test('a process that ignores signals is killed with its children', async () => {
  const heedless =
    'for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(name, () => {}); setInterval(() => {}, 1000);'
  const { pipe, lines } = await run(
    `${heedless}
    const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(`${heedless} console.log(process.pid)`)}], { stdio: "inherit" });
    console.log(process.pid)`,
    { closeMs: 20 },
  )
  const pids = [Number((await nextOf(lines))?.text), Number((await nextOf(lines))?.text)]
  expect(pids.map(lives)).toEqual([true, true])
  await pipe.close()
  expect(pipe.ending()).toBe('ended by SIGKILL')
  await Promise.all(pids.map(dead))
})

test('the children of an exited process are ended as well', async () => {
  const { lines } = await run(
    `const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    child.unref(); console.log(child.pid)`,
  )
  const pid = Number((await nextOf(lines))?.text)
  expect(await nextOf(lines)).toBeUndefined()
  await dead(pid)
})

test('a process that only closes its output ends the lines', async () => {
  const { pipe, lines } = await run('require("node:fs").closeSync(1); setInterval(() => {}, 1000)', { closeMs: 20 })
  expect(await nextOf(lines)).toBeUndefined()
  expect(pipe.ending()).toBe('closed its output')
})

test('a stream held from outside the group does not hold the close', async () => {
  const { pipe, lines } = await run(
    `const child = require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 20_000)"], { stdio: "inherit", detached: true });
    console.log(child.pid)`,
    { closeMs: 20 },
  )
  const pid = Number((await nextOf(lines))?.text)
  await pipe.close()
  expect(lives(pid)).toBe(true)
  process.kill(pid, 'SIGKILL')
})

test('the process gets the minimal environment with env, and cwd', async () => {
  const { lines } = await run('console.log([process.env.PATH, process.env.GIVEN, process.cwd()].join("|"))', {
    env: { GIVEN: 'yes' },
    cwd: '/',
  })
  expect(await nextOf(lines)).toEqual({ text: `${process.env.PATH}|yes|/` })
})
