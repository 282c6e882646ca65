/** `evaluateAttack` over the recorded messages of a run gives the verdicts of the run. */
import { readdirSync, readFileSync } from 'node:fs'
import { evaluateAttack, type IndicatorVerdict } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { modelTarget } from '../../targets/src/agent.ts'
import { runAttack } from '../src/run.ts'
import { attackFrom } from './support/attacks.ts'

const library = new URL('../../../library/', import.meta.url)
/** Attacks with indicators that read values beside the content of a message. */
const attacks = readdirSync(library)
  .filter((name) => name.endsWith('.oatf.yaml'))
  .map((name) => ({ name, text: readFileSync(new URL(name, library), 'utf8') }))
  .filter(({ text }) => /\b_(request|arguments|texts)\b/.test(text))

test('there are attacks of each kind', () => {
  for (const key of ['_request', '_arguments', '_texts'])
    expect(attacks.some(({ text }) => text.includes(key))).toBe(true)
})

/** The judge of a run knows that an agent was in contact, so it skips fewer indicators. */
const resultOf = ({ indicator_id, result }: IndicatorVerdict) =>
  `${indicator_id} ${result === 'skipped' ? 'not_matched' : result}`

describe.each(['sim/credulous', 'sim/cautious'])('%s', (model) => {
  test.concurrent.each(attacks)('$name', async ({ text }) => {
    const attack = attackFrom(text)
    const target = modelTarget({ model, inProcess: true })
    const { verdict, trace } = await runAttack(attack, { target, limits: { graceMs: 0, observeMs: 0 } })
    const { result, indicator_verdicts } = await evaluateAttack(attack, trace)
    expect(indicator_verdicts.map(resultOf)).toEqual(verdict.indicator_verdicts.map(resultOf))
    expect(result === 'exploited').toBe(verdict.result === 'exploited')
  })
})
