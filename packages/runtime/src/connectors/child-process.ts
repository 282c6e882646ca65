/** A child process with a process group of its own, so that nothing it starts outlives it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { CommandBinding } from '../model/bindings.ts'

/** A running child. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable>

// The one exit of this process concerns all children, whichever connection they belong to.
const alive = new Set<Child>()
const killAll = () => {
  for (const child of alive) killGroup(child, 'SIGKILL')
}

/** Starts a command; rejects when there is no such command. It sees no more of our environment than it needs to run. */
export async function startChild({ command, args = [], env, cwd }: CommandBinding): Promise<Child> {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...getDefaultEnvironment(), ...env },
    detached: process.platform !== 'win32',
    windowsHide: true,
    ...(cwd === undefined ? {} : { cwd }),
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  // Later errors are those of a kill that came too late.
  child.on('error', () => {})
  if (alive.size === 0) process.on('exit', killAll)
  alive.add(child)
  child.once('exit', () => {
    // Whatever it started would keep its pipes open.
    killGroup(child, 'SIGKILL')
    alive.delete(child)
    if (alive.size === 0) process.off('exit', killAll)
  })
  return child
}

/** Ends a child: its input first, then a request to end, then force. Resolves when it is gone. */
export async function stopChild(child: Child, patienceMs: number): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (hasEnded(child)) resolve()
    else child.once('exit', () => resolve())
  })
  const done = new AbortController()
  const patience = () => wait(patienceMs, undefined, { signal: done.signal }).catch(() => {})
  child.stdin.end()
  await Promise.race([gone, patience()])
  if (!hasEnded(child)) {
    killGroup(child, 'SIGTERM')
    await Promise.race([gone, patience()])
  }
  if (!hasEnded(child)) killGroup(child, 'SIGKILL')
  await Promise.race([gone, patience()])
  done.abort()
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
}

function hasEnded(child: Child): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function killGroup(child: Child, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The group is gone already.
  }
}
