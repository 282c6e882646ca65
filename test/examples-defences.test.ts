/** Runs the table in examples/defences. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { spawnJoust } from '../packages/cli/test/spawned.ts'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const readme = readFileSync(join(root, 'examples/defences/README.md'), 'utf8')
const rows = [...readme.matchAll(/^\| \[([\w-]+)\]\([\w.-]+\) .*\| `(\w+)` +\| (?:`(\w+)`)? +\|$/gm)].map(
  ([, agent = '', outcome = '', tier]) => ({ agent, outcome, tier }),
)

test('the table has every agent that it is about', () => {
  expect(rows.map(({ agent }) => agent)).toEqual(['careless', 'allow-list', 'approvals', 'budget', 'hardened'])
})

test.each(rows)('$agent: $outcome', async ({ agent, outcome, tier }) => {
  const out = mkdtempSync(join(tmpdir(), 'joust-defences-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const attack = 'library/issue-comment-exfiltration.oatf.yaml'
  const words = ['run', attack, '--agent', `examples/defences/${agent}.agf.yaml`, '--out', join(out, 'run')]
  await spawnJoust([...words, '--grace', '0', '--report', 'json', '--quiet'], root)
  const { targets } = JSON.parse(readFileSync(join(out, 'run/results.json'), 'utf8'))
  const [found] = targets[0].attacks
  expect([found.outcome, found.tier]).toEqual([outcome, tier])
})
