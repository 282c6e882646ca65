import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/main.ts'
import { folder, joust, memoryIo } from '../world.ts'
import { SELF_PLAY, WIRE } from './documents.ts'

/** Waits until a text has been written. */
async function until(texts: readonly string[], wanted: string): Promise<void> {
  while (!texts.join('').includes(wanted)) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('repeats an attack when its file changes, reports a broken file and waits, ends on Ctrl-C', async () => {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY, 'b.oatf.yaml': SELF_PLAY.replace('TEST-002', 'TEST-012') })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { io, stdout, stderr } = memoryIo({ cwd, interruption: stop.signal })
  const ended = run(['run', '.', ...WIRE, '--watch', '--out', 'out', '--report', 'json'], io)
  await until(stderr, 'watching 2 files; Ctrl-C stops')
  expect(stdout.join('')).toContain('2 attacks, 2 runs: 2 exploited')

  stdout.length = 0
  stderr.length = 0
  writeFileSync(join(cwd, 'a.oatf.yaml'), 'oatf: "0.1"\nattack: {}\n')
  await until(stderr, 'watching 2 files')
  expect(stderr.join('')).toMatch(/a\.oatf\.yaml:\d+:\d+ {2}error /)
  expect(stdout).toEqual([])

  stderr.length = 0
  // As editors do: written to another file, then moved into place.
  writeFileSync(join(cwd, 'new'), SELF_PLAY.replace('contains: secret', 'contains: other'))
  renameSync(join(cwd, 'new'), join(cwd, 'a.oatf.yaml'))
  await until(stderr, 'watching 2 files')
  expect(stdout.join('')).toContain('1 attack, 1 run: 0 exploited')
  expect(existsSync(join(cwd, 'out-3/results.json'))).toBe(true)

  stop.abort()
  expect(await ended).toBe(130)
  expect(stderr.join('')).not.toContain('--resume')
})

test('there have to be files', async () => {
  const argv = ['run', '-', ...WIRE, '--watch']
  const { code, stderr } = await joust(argv, { cwd: folder(), stdin: SELF_PLAY })
  expect([code, stderr]).toEqual([64, expect.stringContaining('--watch needs files')])
})
