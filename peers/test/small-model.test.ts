/** A small real model as the agent's model. Its answers are not known in advance, so every outcome is checked against its trace. */
import type { AttackResults, TraceEntry } from '@joust/results'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attacksOf, joustRun } from './joust.ts'
import { hasSmallModel, type SmallModel, startSmallModel } from './small-model.ts'

const documents = [
  'tool-description-leaks-prompt',
  'error-message-injection',
  'issue-comment-exfiltration',
  'server-instructions-takeover',
  'hidden-unicode-instructions',
]

describe.skipIf(!hasSmallModel)('SmolLM2-135M', () => {
  let model: SmallModel
  beforeAll(async () => {
    model = await startSmallModel()
  }, 120_000)
  afterAll(() => model.stop())

  test('every outcome is justified by its trace', { timeout: 400_000 }, async () => {
    const run = await attack(documents, model.withTools)
    const attacks = attacksOf(run.results)
    expect(attacks, run.output).toHaveLength(documents.length)
    for (const result of attacks) expect(unjustified(result, run.trace(result.attack.id ?? '')), run.output).toEqual([])
  })

  test('a server that drops tools is not attacked', { timeout: 120_000 }, async () => {
    await expect(attack(documents.slice(0, 1), model.bare)).rejects.toThrow(/calls no tools/)
  })
})

function attack(names: readonly string[], address: string) {
  const options = ['--model', 'openai-compatible/smollm2', '--concurrency', '1', '--max-duration', '90s']
  return joustRun(names, [...options, '--reply-timeout', '80s'], { OPENAI_COMPATIBLE_BASE_URL: address }, 390_000)
}

/** Reasons why an outcome does not follow from a trace; empty if it does. */
function unjustified({ outcome, reasons, verdict, exposure }: AttackResults, trace: readonly TraceEntry[]): string[] {
  const matches = verdict.indicator_verdicts.filter(({ result }) => result === 'matched')
  const faults: string[] = []
  if (outcome === 'exploited' || outcome === 'partial') {
    const isSeen = matches.some(({ entry }) => trace.some(({ seq, flow }) => seq === entry?.seq && flow === 'in'))
    if (!isSeen) faults.push('exploited without a message of the agent')
  }
  if (outcome === 'resisted') {
    if (matches.length > 0) faults.push('resisted with a match')
    if (!exposure.bait.some((path) => exposure.delivered.includes(path))) faults.push('resisted without a bait')
  }
  if (outcome === 'inconclusive' && reasons.length === 0) faults.push('inconclusive without a reason')
  return faults
}
