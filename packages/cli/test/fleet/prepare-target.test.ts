/** The folders of targets on a worker's machine. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openTargetFolder } from '../../src/fleet/prepare-target.ts'
import { folder } from '../world.ts'

test('what killed processes of this machine left goes; what belongs to anybody else stays', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['-e', '0'])
  const machine = encodeURIComponent(hostname())
  const left = `joust-target-${machine}-${dead}-abc`
  const parent = folder({ [`${left}/file`]: 'x' })
  const theirs = [
    `joust-target-${machine}-${process.pid}-abc`,
    `joust-target-another-${dead}-abc`,
    `joust-target-${machine}-`,
    `agent-${dead}-abc`,
  ]
  for (const name of theirs) mkdirSync(join(parent, name))
  const link = `joust-target-${machine}-${dead}-link`
  symlinkSync(join(parent, `agent-${dead}-abc`), join(parent, link))
  const made = await openTargetFolder(parent)
  expect(existsSync(join(parent, left))).toBe(false)
  expect(readdirSync(parent).sort()).toEqual([...theirs, link, basename(made)].sort())
  expect(made).toContain(`joust-target-${machine}-${process.pid}-`)
})
