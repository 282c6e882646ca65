import { expect, test } from 'vitest'
import { attackOf, resultsOf, targetOf, trial } from '../../../results/test/support/results.ts'
import { openTestStudio } from './open.ts'

test('serves the traces of runs with and without the bait, and no other file', async () => {
  const attack = {
    ...attackOf('bait', 'e'),
    placebo_trials: [trial(1, 'resisted', { trace: 'traces/placebo.1.jsonl' })],
  }
  const results = { ...resultsOf([]), targets: [targetOf([attack])] }
  const line = '{"joust_trace":2}\n'
  const { send } = await openTestStudio({
    'joust-results/night/results.json': JSON.stringify(results),
    'joust-results/night/traces/1.jsonl': line,
    'joust-results/night/traces/placebo.1.jsonl': line,
    'joust-results/night/traces/other.jsonl': line,
  })
  const statusOf = async (name: string) =>
    (await send('GET', `/api/trace?name=night&trace=traces/${name}.jsonl`)).status
  expect(await send('GET', '/api/results?name=night')).toMatchObject({ status: 200 })
  expect([await statusOf('1'), await statusOf('placebo.1'), await statusOf('other')]).toEqual([200, 200, 404])
})
