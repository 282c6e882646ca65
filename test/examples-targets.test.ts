/** Attacks the example targets with the built command. Needs the build, which `npm test` does first. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { reviewAttack } from '../packages/cli/test/review-attack.ts'
import { binary } from '../packages/cli/test/spawned.ts'
import { repositoryRoot } from '../scripts/repository.ts'

const python = join(repositoryRoot(), 'examples/targets/python')
const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('a Python function is attacked, turn after turn', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'joust-python-'))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  cpSync(python, cwd, { recursive: true })
  const project = 'targets: { mine: { exec: [python3, echo_agent.py], json_lines: true } }\non: [mine]\n'
  writeFileSync(join(cwd, 'review.oatf.yaml'), reviewAttack)
  writeFileSync(join(cwd, 'joust.yaml'), `attacks: review.oatf.yaml\n${project}`)
  const { status, stdout } = run(cwd, 'run', '--json', '--report', 'json', '--grace', '0')
  // The agent repeats every message, so nothing shows that it was working after the bait.
  expect(status).toBe(5)
  const [target] = JSON.parse(stdout).targets
  expect(target).toMatchObject({ kind: 'command', name: 'mine' })
  // What the agent prints is not part of its answer.
  expect(target.attacks[0].trials[0].answer).not.toContain('turn 1')
  expect(target.attacks[0].trials[0].answer).toContain('4127 + 3388')
})

function run(cwd: string, ...argv: readonly string[]) {
  return spawnSync(process.execPath, [binary, ...argv], { cwd, encoding: 'utf8' })
}
