import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openTemporaryFolder, removeLeftovers } from '../src/temporary-folder.ts'

const home = mkdtempSync(join(tmpdir(), 'joust-leftovers-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(home, 'tmp-'))
})

const { pid: dead } = spawnSync(process.execPath, ['-e', '0'])

/** Creates a folder with a file, and a lock like that of this process with some other values. */
function leave(name: string, changes: Readonly<Record<string, unknown>> | string): void {
  const model = openTemporaryFolder('model-', parent)
  const lock = JSON.parse(readFileSync(`${model.path}.lock`, 'utf8'))
  rmSync(model.path, { recursive: true })
  rmSync(`${model.path}.lock`)
  const folder = join(parent, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'file'), 'x')
  const text =
    typeof changes === 'string' ? changes : JSON.stringify({ ...lock, inode: lstatSync(folder).ino, ...changes })
  writeFileSync(`${folder}.lock`, text)
}

const left = () => readdirSync(parent).sort()

test('a folder has a lock while it exists', async () => {
  const folder = openTemporaryFolder('agent-', parent)
  const [name = '', lock] = left()
  expect([join(parent, name), lock]).toEqual([folder.path, `${name}.lock`])
  expect(JSON.parse(readFileSync(join(parent, `${name}.lock`), 'utf8'))).toMatchObject({ pid: process.pid })
  await folder.remove()
  expect(left()).toEqual([])
})

test('removes folders of dead processes, even if the process id is in use again', () => {
  leave('agent-dead', { pid: dead })
  if (process.platform === 'linux') leave('agent-reused', { started: '1' })
  removeLeftovers(parent)
  expect(left()).toEqual([])
})

test.each<[string, Readonly<Record<string, unknown>> | string]>([
  ['is of a live process', {}],
  ['is of another machine, boot or container', { pid: dead, scope: 'elsewhere' }],
  ['has a lock that cannot be read', '{"pid":'],
  ['has a lock of another kind', '{"version":1}'],
  ['has a lock without a process id', { pid: null }],
])('one that %s stays', (_, changes) => {
  leave('agent-other', changes)
  removeLeftovers(parent)
  expect(left()).toEqual(['agent-other', 'agent-other.lock'])
})

test('keeps folders without a valid lock of their own', () => {
  mkdirSync(join(parent, `joust-target-host-${dead}-abc`))
  mkdirSync(join(parent, 'agent-abcdef'))
  leave('agent-inode', { pid: dead, inode: 1 })
  leave('agent-source', { pid: dead, scope: 'elsewhere' })
  leave('agent-copy', { pid: dead })
  rmSync(join(parent, 'agent-copy'), { recursive: true })
  symlinkSync(join(parent, 'agent-source'), join(parent, 'agent-copy'))
  removeLeftovers(parent)
  expect(left()).toEqual([
    'agent-abcdef',
    'agent-copy',
    'agent-inode',
    'agent-source',
    'agent-source.lock',
    `joust-target-host-${dead}-abc`,
  ])
  expect(existsSync(join(parent, 'agent-source', 'file'))).toBe(true)
})

/** A process that outlives the child of a process, which opens the folders of a run and is killed. */
async function strayOf(options: string, { parentLives = false } = {}) {
  const module = JSON.stringify(join(import.meta.dirname, '../dist/index.js'))
  const lasting = JSON.stringify('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)')
  const middle = `
    const work = require("node:path").join(process.env.TMPDIR, "../work")
    const stray = require("node:child_process").spawn(process.execPath, ["-e", ${lasting}], { detached: true, ${options} })
    stray.unref()
    ${parentLives ? 'process.stdin.on("error", () => {}); setInterval(() => {}, 1000)' : ''}
    console.log(stray.pid)`
  const program = `import(${module}).then(async ({ openRunFolders, startProcess }) => {
    const { env } = await openRunFolders()
    const child = await startProcess({ command: process.execPath, args: ["-e", ${JSON.stringify(middle)}], env })
    child.stdout.pipe(process.stdout)
    ${parentLives ? 'await new Promise((resolve) => child.stdout.once("data", resolve))' : 'await child.exited'}
    console.log("alone")
    setInterval(() => {}, 1000)
  })`
  const owner = spawn(process.execPath, ['-e', program], { env: { ...process.env, TMPDIR: parent } })
  let said = ''
  owner.stdout.on('data', (text) => (said += text))
  await vi.waitFor(() => expect(said).toContain('alone'), 10_000)
  const pid = Number.parseInt(said, 10)
  onTestFinished(() => {
    owner.kill('SIGKILL')
    if (lives(pid)) process.kill(pid, 'SIGKILL')
  })
  return { pid, kill: () => kill(owner) }
}

function lives(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z '
  return !/\) Z /.test(stat)
}

function kill(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  return exited
}

const linux = test.runIf(process.platform === 'linux')

linux.each([
  ['an environment that names the folder', 'stdio: "ignore"'],
  ['a standard stream of the child, and an empty environment', 'stdio: "inherit", env: {}'],
  ['only a standard error of the child', 'stdio: ["ignore", "ignore", "inherit"], env: {}'],
  ['a working folder in it, and an empty environment', 'stdio: "ignore", env: {}, cwd: work'],
])('what a killed process had started ends by %s, and its folder goes', async (_, options) => {
  const { pid, kill } = await strayOf(options)
  removeLeftovers(parent)
  expect([lives(pid), left().length]).toEqual([true, 2])
  await kill()
  expect([lives(pid), left().length]).toEqual([true, 2])
  removeLeftovers(parent)
  expect(left()).toEqual([])
  await vi.waitFor(() => expect(lives(pid)).toBe(false), 5000)
})

linux('what a killed process had started ends by a parent that lives', async () => {
  const { pid, kill } = await strayOf('stdio: "ignore", env: {}, cwd: "/"', { parentLives: true })
  await kill()
  removeLeftovers(parent)
  expect(left()).toEqual([])
  await vi.waitFor(() => expect(lives(pid)).toBe(false), 5000)
})

linux('a process that only works in the folder stays, and so does one that was there before', async () => {
  const early = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: {}, stdio: ['pipe', 1, 2] })
  await new Promise((resolve) => early.once('spawn', resolve))
  const { pid, kill: killOwner } = await strayOf('stdio: "ignore", env: {}, cwd: work')
  const [name = '', lock = ''] = left()
  const visitor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    cwd: join(parent, name),
    env: {},
    detached: true,
    stdio: 'ignore',
  })
  onTestFinished(() => Promise.all([kill(visitor), kill(early)]).then(() => {}))
  await new Promise((resolve) => visitor.once('spawn', resolve))
  // As if a stream of the child had been handed to a program that was there before.
  const stream = readlinkSync(`/proc/${early.pid}/fd/0`)
  appendFileSync(join(parent, lock), `${JSON.stringify({ started: Number.MAX_SAFE_INTEGER, streams: [stream] })}\n`)
  await killOwner()
  removeLeftovers(parent)
  await vi.waitFor(() => expect(lives(pid)).toBe(false), 5000)
  expect([lives(Number(visitor.pid)), lives(Number(early.pid))]).toEqual([true, true])
})
