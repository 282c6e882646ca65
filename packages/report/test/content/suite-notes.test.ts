/** Notes on whole targets. */
import { expect, test } from 'vitest'
import { suiteNotes } from '../../src/content/suite-notes.ts'

const target = (...sensitivity: readonly object[]) =>
  ({
    targets: [{ name: 'bot', attacks: sensitivity.map((one) => ({ controls: { sensitivity: one }, trials: [] })) }],
  }) as never

test('sensitivity runs are counted, and the reason of those that cannot be run is given once', () => {
  expect(suiteNotes([target({ fell: 1, of: 1 }, { fell: 0, of: 1 })])).toEqual([
    'bot: with sim/credulous as its model, 1 of 2 unsuccessful attacks succeed',
  ])
  const skipped = { fell: 0, of: 0, skipped: 'no model' }
  expect(suiteNotes([target(skipped, skipped)])).toEqual(['bot: no sensitivity run, no model'])
  expect(suiteNotes([target()])).toEqual([])
})

test('calls of real servers are counted over all runs', () => {
  const call = { server: 'files', tool: 'read', decision: 'passed', answer: 'server', reason: 'r', calls: 2 }
  const attacks = [{ trials: [{ through: [call] }], placebo_trials: [{ through: [{ ...call, decision: 'held' }] }] }]
  expect(suiteNotes([{ targets: [{ name: 'bot', attacks }] } as never])).toEqual([
    'bot: real servers: 2 calls passed on, 2 held back',
  ])
})
