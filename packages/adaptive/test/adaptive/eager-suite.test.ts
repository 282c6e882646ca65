/** An agent that calls every tool it is offered is exploited by no document: it does the same without the bait. */
import { readdirSync, readFileSync } from 'node:fs'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { modelTarget } from '../../../targets/src/agent.ts'
import { finishSuite, runSuite } from '../../../trials/src/suite.ts'
import { eagerModel } from './eager-agent.ts'

const library = new URL('../../../../library/', import.meta.url)
const attacks = readdirSync(library)
  .filter((name) => name.endsWith('.oatf.yaml'))
  .map((file) => {
    const attack = load(readFileSync(new URL(file, library), 'utf8'))
    if (!attack.ok) throw new Error(JSON.stringify(attack.error))
    return { file, attack: attack.value }
  })

test('no document of the library exploits it', { timeout: 120_000 }, async () => {
  const models = { 'test/eager': eagerModel('all') }
  const run = () => ({
    target: modelTarget({ model: 'test/eager', runtime: { models }, inProcess: true }),
    limits: { graceMs: 0, observeMs: 0 },
  })
  const { targets } = await finishSuite(runSuite(attacks, { run, arms: 'placebo' }))
  const results = (targets[0]?.attacks ?? []).map(({ file, outcome, reasons, verdict }) => ({
    ...{ file, outcome, reasons, verdict: verdict.result },
  }))
  expect(attacks.length).toBeGreaterThanOrEqual(80)
  expect(results).toHaveLength(attacks.length)
  expect(results.filter(({ outcome }) => outcome === 'exploited' || outcome === 'partial')).toEqual([])
  // The agent is eager enough to tell, and every match is explained: it happens without the bait, or before it.
  const matched = results.filter(({ verdict }) => verdict === 'exploited' || verdict === 'partial')
  expect(matched.length).toBeGreaterThan(20)
  const explained = /also happens without the bait|before the bait was delivered/
  expect(matched.filter(({ reasons }) => !reasons.some((reason) => explained.test(reason)))).toEqual([])
})
