import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openTemporaryFolder, removeLeftovers } from '../src/temporary-folder.ts'

const home = mkdtempSync(join(tmpdir(), 'joust-leftovers-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

let parent = ''
beforeEach(() => {
  parent = mkdtempSync(join(home, 'tmp-'))
})

const { pid: dead } = spawnSync(process.execPath, ['-e', '0'])

/** The lock of a live folder of this process, with other values in it, beside a folder with a file. */
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

test('a folder has a lock for as long as it is there', async () => {
  const folder = openTemporaryFolder('agent-', parent)
  const [name = '', lock] = left()
  expect([join(parent, name), lock]).toEqual([folder.path, `${name}.lock`])
  expect(JSON.parse(readFileSync(join(parent, `${name}.lock`), 'utf8'))).toMatchObject({ pid: process.pid })
  await folder.remove()
  expect(left()).toEqual([])
})

test('one of a dead process goes, and so does one whose process id is now of another process', () => {
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

test('a name decides nothing: without a lock, with the lock of another folder or behind a link, all stays', () => {
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

test.runIf(process.platform === 'linux')('what a killed process had started ends, and its folder goes', async () => {
  const module = JSON.stringify(join(import.meta.dirname, '../dist/index.js'))
  const lasting = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log(process.pid)'
  const middle = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(lasting)}], { stdio: "inherit", detached: true }).unref()`
  const program = `import(${module}).then(async ({ openRunFolders, startProcess }) => {
    const { env } = await openRunFolders()
    const child = await startProcess({ command: process.execPath, args: ["-e", ${JSON.stringify(middle)}], env })
    child.stdout.pipe(process.stdout)
  })`
  const owner = spawn(process.execPath, ['-e', program], { env: { ...process.env, TMPDIR: parent } })
  const pid = await new Promise<number>((resolve) => owner.stdout.once('data', (text) => resolve(Number(text))))
  const lives = () => {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z '
    return !/\) Z /.test(stat)
  }
  removeLeftovers(parent)
  expect([lives(), left().length]).toEqual([true, 2])
  const exited = new Promise((resolve) => owner.once('exit', resolve))
  owner.kill('SIGKILL')
  await exited
  expect([lives(), left().length]).toEqual([true, 2])
  removeLeftovers(parent)
  expect(left()).toEqual([])
  await vi.waitFor(() => expect(lives()).toBe(false), 5000)
})
