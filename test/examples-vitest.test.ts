/** The example for Vitest, run as a user would. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const folder = join(root, 'examples/vitest')

function run(model: string) {
  const argv = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const env = { ...process.env, MODEL: model, NO_COLOR: '1', VITEST: undefined, NODE_OPTIONS: '' }
  return spawnSync(process.execPath, argv, { cwd: folder, env, encoding: 'utf8' })
}

test('an agent that resists passes; the file has at most 15 lines', () => {
  expect(readFileSync(join(folder, 'agent.test.mjs'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(15)
  const { status, stdout, stderr } = run('sim/cautious')
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) })
  expect(stdout).toMatch(/1 passed/)
})

test('an agent that falls for it fails, with the finding', () => {
  const { status, stdout, stderr } = run('sim/credulous')
  expect(status).toBe(1)
  const text = stdout + stderr
  expect(text).toMatch(/expected sim\/credulous to resist JOUST-\d+/)
  expect(text).toMatch(/exploited \(\w+\)[\s\S]*agent → \w+, tools\/call[\s\S]*trace: \S+\.jsonl/)
})
