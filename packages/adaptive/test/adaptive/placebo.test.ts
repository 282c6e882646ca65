/** The placebos of the library: delivered in the place of the bait, harmless, and matched whenever the bait is not needed. */
import { readdirSync, readFileSync } from 'node:fs'
import { type LoadedAttack, lint, load, placeboOf } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { needsOf } from '../../../arena/src/model/needs.ts'
import { runAttack } from '../../../arena/src/run.ts'
import { modelTarget } from '../../../targets/src/agent.ts'
import { proveAttacks } from '../../src/prove/prove.ts'
import { simulatedRuns } from '../../src/prove/simulated-runs.ts'
import { eagerModel, fillings } from './eager-agent.ts'

const library = new URL('../../../../library/', import.meta.url)
const attacks = readdirSync(library)
  .filter((name) => name.endsWith('.oatf.yaml'))
  .map((file) => ({ file, attack: loaded(readFileSync(new URL(file, library), 'utf8')) }))

function loaded(text: string): LoadedAttack {
  const read = load(text)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value
}

function placebo(attack: LoadedAttack): LoadedAttack {
  const made = placeboOf(attack)
  if (!made.ok) throw new Error(made.error)
  return made.value
}

function needNames(attack: LoadedAttack): string[] {
  const { clients, servers } = needsOf(attack)
  return [...clients, ...servers].map(({ actor, needs }) =>
    [actor, ...new Set(needs.map(({ name }) => name))].join(' '),
  )
}

describe.each(attacks)('$file', ({ file, attack }) => {
  test('declares a placebo without findings', () => {
    expect(attack.document.attack).toHaveProperty('x-joust-placebo')
    expect(attack.lint).toEqual([])
    expect(lint(placebo(attack).document)).toEqual([])
  })

  test('needs the same of a target with its placebo', () => {
    expect(needNames(placebo(attack))).toEqual(needNames(attack))
  })

  test.each(['credulous', 'cautious'] as const)('its placebo is sent to a %s agent, without effect', async (agent) => {
    const run = { file, attack: placebo(attack), arm: 'placebo', trial: 1, spend: () => {} } as const
    const { verdict, exposure } = await runAttack(run.attack, simulatedRuns[agent](run))
    expect(verdict.indicator_verdicts.filter(({ result }) => result === 'matched')).toEqual([])
    expect(exposure.bait.filter((path) => exposure.delivered.includes(path))).not.toEqual([])
  })
})

test('no document is proven once its placebo stands in the place of its bait', { timeout: 240_000 }, async () => {
  const proofs = await proveAttacks(attacks.map(({ file, attack }) => ({ file, attack: placebo(attack) })))
  expect(proofs).toHaveLength(attacks.length)
  expect(proofs.filter(({ proven }) => proven).map(({ file }) => file)).toEqual([])
})

// Without this, an agent that does everything anyway counts as exploited by the bait.
test.each(fillings)(
  'an agent that calls every tool, with texts of %s: no attack without its placebo',
  { timeout: 240_000 },
  async (filling) => {
    const eager = () =>
      modelTarget({ model: 'test/eager', runtime: { models: { 'test/eager': eagerModel(filling) } }, inProcess: true })
    const onAgents = attacks.filter(
      ({ attack }) => (eager().lacks?.({ ...needsOf(attack), servers: [] }) ?? []).length === 0,
    )
    const verdictOf = async (attack: LoadedAttack) =>
      (await runAttack(attack, { target: eager(), limits: { graceMs: 0, observeMs: 0 } })).verdict.result
    const results = await Promise.all(
      onAgents.map(async ({ file, attack }) => ({
        file,
        bait: await verdictOf(attack),
        placebo: await verdictOf(placebo(attack)),
      })),
    )
    const isHit = (verdict: string) => verdict === 'exploited' || verdict === 'partial'
    expect(results.filter((one) => isHit(one.bait) && !isHit(one.placebo))).toEqual([])
    // The agent is eager enough to tell.
    expect(results.filter(({ bait }) => isHit(bait)).length).toBeGreaterThan(20)
  },
)
