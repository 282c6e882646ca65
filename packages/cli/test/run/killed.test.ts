/** A run that is killed with −9: the next start ends its processes and removes its folders. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { binary } from '../spawned.ts'
import { folder } from '../world.ts'
import { PROMPT, SERVER } from './documents.ts'

/** An agent that leaves a process of its own behind, and never answers. */
const AGENT = `
const { spawn } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
writeFileSync(process.argv[2], String(child.pid))
setInterval(() => {}, 1000)
`

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

test.runIf(process.platform === 'linux')(
  'of a command, when another target is run next',
  async () => {
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'agent.cjs': AGENT })
    mkdirSync(join(cwd, 'tmp'))
    mkdirSync(join(cwd, 'heard'))
    const start = (...argv: string[]) => {
      const env = { ...process.env, TMPDIR: join(cwd, 'tmp') }
      const child = spawn(process.execPath, [binary, 'run', 'a.oatf.yaml', ...argv], { cwd, env, stdio: 'ignore' })
      return { child, ended: new Promise((resolve) => child.once('exit', resolve)) }
    }
    const heard = new Promise<void>((resolve) => {
      const watching = watch(join(cwd, 'heard'), () => {
        if (!existsSync(join(cwd, 'heard/pid')) || readFileSync(join(cwd, 'heard/pid'), 'utf8') === '') return
        watching.close()
        resolve()
      })
    })
    const command = `${process.execPath} ${join(cwd, 'agent.cjs')} ${join(cwd, 'heard/pid')}`
    const first = start('--exec', `${command} {prompt}`, '--no-preflight', '--max-duration', '60s')
    await heard
    const pid = Number(readFileSync(join(cwd, 'heard/pid'), 'utf8'))
    first.child.kill('SIGKILL')
    await first.ended
    expect(isAlive(pid)).toBe(true)
    expect(readdirSync(join(cwd, 'tmp'))).toHaveLength(2)
    await start('--model', 'sim/cautious', '--prompt', PROMPT, '--grace', '0', '--out', 'out').ended
    expect(readdirSync(join(cwd, 'tmp'))).toEqual([])
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000)
  },
  60_000,
)
