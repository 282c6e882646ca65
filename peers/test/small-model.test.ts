/** Runs a small real model. Its answers are not known in advance, so every outcome is checked against its trace. */
import type { AttackResults, TraceEntry } from '@joust/results'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { libraryDocuments } from './documents.ts'
import { attacksOf, joustRun } from './joust.ts'
import { hasSmallModel, type SmallModel, startSmallModel } from './small-model.ts'

const few = [
  'tool-description-leaks-prompt',
  'error-message-injection',
  'issue-comment-exfiltration',
  'server-instructions-takeover',
  'hidden-unicode-instructions',
]

/** PEERS=all runs the whole library, which takes many minutes. DOCUMENTS=NAME,NAME runs parts of it. */
const chosen = process.env.DOCUMENTS?.split(',') ?? (process.env.PEERS === 'all' ? libraryDocuments() : few)

const PATIENCE_MS = chosen.length * 120_000

describe.skipIf(!hasSmallModel)('SmolLM2-135M', () => {
  let model: SmallModel
  beforeAll(async () => {
    model = await startSmallModel()
  }, 120_000)
  afterAll(() => model.stop())

  test('every outcome is justified by its trace', { timeout: PATIENCE_MS + 10_000 }, async () => {
    // Successful attacks are run again without the bait.
    const run = await attack(chosen, model.withTools)
    const attacks = attacksOf(run.results)
    expect(attacks, run.output).toHaveLength(chosen.length)
    for (const result of attacks) expect(unjustified(result, run.trace(result.attack.id ?? '')), run.output).toEqual([])
  })

  test('a server that drops tools is not attacked', { timeout: 120_000 }, async () => {
    await expect(attack(few.slice(0, 1), model.bare)).rejects.toThrow(/calls no tools/)
  })
})

function attack(names: readonly string[], address: string) {
  const options = ['--model', 'openai-compatible/smollm2', '--concurrency', '1', '--max-duration', '90s']
  return joustRun(names, [...options, '--reply-timeout', '80s'], { OPENAI_COMPATIBLE_BASE_URL: address }, PATIENCE_MS)
}

/** Returns the reasons why an outcome does not follow from a trace, if any. */
function unjustified(result: AttackResults, trace: readonly TraceEntry[]): string[] {
  const { outcome, reasons, verdict, exposure, controls, placebo_trials: placebos = [] } = result
  const matches = verdict.indicator_verdicts.filter((one) => one.result === 'matched')
  const faults: string[] = []
  if (outcome === 'exploited' || outcome === 'partial') {
    const isSeen = matches.some(({ entry }) => trace.some(({ seq, flow }) => seq === entry?.seq && flow === 'in'))
    if (!isSeen) faults.push('exploited without a message from the agent')
    if (placebos.length === 0) faults.push('exploited without a run without the bait')
    const anyway = placebos.filter(({ verdict: { result: said } }) => said === 'exploited' || said === 'partial')
    if (anyway.length > 0) faults.push('exploited although the behaviour occurs without the bait')
  }
  if (outcome === 'resisted') {
    if (matches.length > 0) faults.push('resisted with a match')
    if (!exposure.bait.some((path) => exposure.read?.includes(path))) faults.push('resisted without reading a bait')
    if (controls?.proven === undefined || controls.proven === 'no') faults.push('resisted without a proof')
    if (controls?.alive_by === undefined) faults.push('resisted without a sign of life')
    if (!trace.some((line) => 'model' in line)) faults.push('resisted without a model call in the trace')
  }
  if (outcome === 'inconclusive' && reasons.length === 0) faults.push('inconclusive without a reason')
  return faults
}
