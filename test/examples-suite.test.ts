/** Runs examples/suite on two attacks. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadResults } from '@joust/results/files'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()
const program = join(root, 'examples/suite/run.mjs')
const outcomes = {
  'library/error-message-injection.oatf.yaml': 'resisted',
  'library/schema-poisoning.oatf.yaml': 'exploited',
}

test('is shorter than thirty lines', () => {
  expect(readFileSync(program, 'utf8').split('\n').length).toBeLessThan(30)
})

test('writes results with traces, and prints each outcome', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-suite-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const out = join(folder, 'out')
  const argv = [program, 'examples/defences/tight.agf.yaml', out, ...Object.keys(outcomes)]
  const printed = execFileSync(process.execPath, argv, { cwd: root, encoding: 'utf8' }).trimEnd().split('\n')
  const lines = Object.entries(outcomes).map(([file, result]) => `${result} ${file}`)
  expect([...printed].sort()).toEqual([...lines, join(out, 'results.json')].sort())
  const loaded = await loadResults(out)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  const { results } = loaded.value
  const [target] = results.targets
  expect(target).toMatchObject({ kind: 'agent', name: 'tight' })
  const attacks = target?.attacks ?? []
  expect(Object.fromEntries(attacks.map(({ file, outcome }) => [file, outcome]))).toEqual(outcomes)
  for (const { trials } of attacks) {
    expect(trials).toHaveLength(1)
    expect(readFileSync(join(out, trials[0]?.trace ?? ''), 'utf8')).toContain('"joust_trace"')
  }
})
