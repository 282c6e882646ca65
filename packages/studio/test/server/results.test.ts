import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

test('serves overviews without documents, and whole attacks by target and file', async () => {
  const withText = (word: string) => {
    const attack = attackOf(word, 'e')
    return { ...attack, attack: { ...attack.attack, text: 'oatf: "0.1"' } }
  }
  const [first, second] = [withText('first'), withText('second')]
  const { send, folder } = await openTestStudio({
    'joust-results/night/results.json': JSON.stringify({ ...resultsOf([]), targets: [targetOf([first, second])] }),
  })
  const [target] = JSON.parse((await send('GET', '/api/results?name=night')).body).targets
  expect(target.attacks.map((attack: { attack: object }) => Object.keys(attack.attack).includes('text'))).toEqual([
    false,
    false,
  ])
  const query = (file: string) => new URLSearchParams({ name: 'night', target: target.name, file })
  const whole = await send('GET', `/api/attack?${query(second.file)}`)
  expect(JSON.parse(whole.body)).toMatchObject({ file: second.file, attack: second.attack, outcome: second.outcome })
  expect(await send('GET', `/api/attack?${query('unknown')}`)).toMatchObject({ status: 404 })
  // Changed results are read again.
  const path = join(folder, 'joust-results/night/results.json')
  writeFileSync(path, JSON.stringify({ ...resultsOf([]), targets: [targetOf([first])] }))
  utimesSync(path, 1, 1)
  expect(JSON.parse((await send('GET', '/api/results?name=night')).body).targets[0].attacks).toHaveLength(1)
})
