/** examples/suite, run on two attacks. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadResults } from '@joust/arena'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const program = join(root, 'examples/suite/run.mjs')
const verdicts = {
  'library/error-message-injection.oatf.yaml': 'not_exploited',
  'library/schema-poisoning.oatf.yaml': 'exploited',
}

test('is shorter than thirty lines', () => {
  expect(readFileSync(program, 'utf8').split('\n').length).toBeLessThan(30)
})

test('writes results with traces, and prints each verdict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-suite-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const out = join(folder, 'out')
  const argv = [program, 'examples/defences/tight.agf.yaml', out, ...Object.keys(verdicts)]
  const printed = execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')
  const lines = Object.entries(verdicts).map(([file, result]) => `${result} ${file}`)
  expect([...printed].sort()).toEqual([...lines, join(out, 'results.json')].sort())
  const loaded = await loadResults(out)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const { results } = loaded.value
  expect(results.target).toEqual({ kind: 'agent', name: 'tight' })
  expect(Object.fromEntries(results.attacks.map(({ file, verdict }) => [file, verdict.result]))).toEqual(verdicts)
  for (const { trials } of results.attacks) {
    expect(trials).toHaveLength(1)
    expect(readFileSync(join(out, trials[0]?.trace ?? ''), 'utf8')).toContain('"joust_trace"')
  }
})
