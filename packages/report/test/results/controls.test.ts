/** The placebo and the decision of an attack in all formats. */
import { decideAttack, type Redacted, type Trial } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { renderGithub } from '../../src/results/github.ts'
import { renderJunit } from '../../src/results/junit.ts'
import { renderMarkdown } from '../../src/results/markdown.ts'
import { renderSarif } from '../../src/results/sarif.ts'
import { results, resultsWith } from '../results.ts'

const attacks = results.targets[0]?.attacks ?? []

/** An attack with this outcome, run several times with and without the bait. */
function decided(outcome: string, runs: { trials: number; placebo?: readonly number[]; limit?: number }) {
  const of = (word: string) => {
    const found = attacks.find((attack) => attack.outcome === word)
    if (found?.trials[0] === undefined) throw new Error(`no trial that is ${word}`)
    return { attack: found, trial: found.trials[0] }
  }
  const { attack, trial } = of(outcome)
  const copies = (count: number, one: Trial) =>
    Array.from({ length: count }, (_, index) => ({ ...one, trial: index + 1 }) as Redacted<Trial>)
  const [same = 0, other = 0] = runs.placebo ?? []
  const placebo = [...copies(same, trial), ...copies(other, of('resisted').trial)]
  const { limit } = runs
  return resultsWith([{ ...attack, ...decideAttack({ trials: copies(runs.trials, trial), placebo, limit }) }])
}

describe.each([
  ['Markdown', renderMarkdown],
  ['JUnit', renderJunit],
  ['SARIF', renderSarif],
  ['GitHub', renderGithub],
])('%s', (_, render) => {
  test('has the effect of the bait', () => {
    expect(render(decided('exploited', { trials: 5, placebo: [0, 5] }))).toContain(
      'with bait 5 of 5, without 0 of 5: +100 points (39 to 100)',
    )
  })

  test('says that it happens without the bait', () => {
    const text = render(decided('exploited', { trials: 3, placebo: [3, 0] }))
    expect(text).toContain('also happens without the bait, in 3 of 3 runs')
    expect(text).toContain('inconclusive')
  })
})

test('formats with all attacks have the decision about one that resists', () => {
  const clean = decided('resisted', { trials: 22, limit: 0.15 })
  expect(renderMarkdown(clean)).toContain('0 of 22, 0 % (0–21 %, always valid); asr&lt;15% yes')
  expect(renderJunit(clean)).toContain('<system-out>asr&lt;15%: yes after 22 conclusive trials</system-out>')
})

test('an undecided question has the number of trials that would decide it', () => {
  const open = decided('exploited', { trials: 2, limit: 0.15 })
  expect(renderMarkdown(open)).toMatch(/asr<15%: undecided after 2 conclusive trials; \d+ more/)
})
