import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { err, ok } from '@joust/source'
import { expect, test } from 'vitest'
import type { CampaignInfo, CampaignWork } from '../../src/index.ts'
import { openTestStudio } from './open.ts'

const info: CampaignInfo = {
  name: 'night',
  created: '2026-01-02T00:00:00.000Z',
  state: 'open',
  targets: ['clerk', 'desk'],
  trials: 2,
  runs: 4,
  open: 1,
  running: 1,
  outcomes: { exploited: 1, resisted: 2 },
  calls: 3,
  tokens: 40,
}

const campaigns: CampaignWork = {
  place: 'db.example/joust',
  list: async () => [info, { ...info, name: 'untouched', open: 4 }],
  runs: async () => [
    { target: 'clerk', file: 'a.oatf.yaml', trial: 1, outcome: 'resisted' },
    { target: 'clerk', file: 'a.oatf.yaml', trial: 2, outcome: 'exploited', tier: 'boundary_breach' },
    { target: 'desk', file: 'a.oatf.yaml', trial: 1, outcome: 'resisted' },
    { target: 'desk', file: 'a.oatf.yaml', trial: 2 },
  ],
  watch: async (name, { target, file, trial }, { attempt, part }) =>
    name === 'night' && target === 'desk' && file === 'a.oatf.yaml' && trial === 2
      ? { attempt, part: part + 1, entries: [], isRunning: true }
      : undefined,
  submit: async ({ targets }) => (targets?.[0] === 'unknown' ? err('joust: no such target') : ok('fresh')),
  cancel: async (name) => name === 'night',
  write: async () => err('the database is away'),
}

test('campaigns are listed, submitted and cancelled; their results are listed with those of the folder', async () => {
  const { send, known } = await openTestStudio({}, { campaigns })
  expect(JSON.parse((await send('GET', '/api/campaigns')).body)).toMatchObject([{ name: 'night' }, {}])
  expect(JSON.parse((await send('GET', '/api/campaign?name=night')).body)).toHaveLength(4)
  const [only, ...none] = JSON.parse((await send('GET', '/api/results')).body)
  expect(none).toEqual([])
  expect(only).toMatchObject({
    name: 'queue:night',
    targets: [
      { name: 'clerk', attacks: [{ file: 'a.oatf.yaml', outcome: 'exploited' }] },
      { name: 'desk', attacks: [{ file: 'a.oatf.yaml', outcome: 'resisted' }] },
    ],
  })
  const run = '/api/watch?name=night&target=desk&file=a.oatf.yaml'
  expect((await send('GET', `${run}&trial=2&attempt=x&part=4`)).body).toBe(
    '{"attempt":"x","part":5,"entries":[],"isRunning":true}',
  )
  expect(await send('GET', `${run}&trial=3`)).toMatchObject({ status: 404 })
  expect(await send('POST', '/api/submit', known, {})).toMatchObject({ status: 201, body: '{"campaign":"fresh"}' })
  expect(await send('POST', '/api/submit', known, { targets: ['unknown'] })).toMatchObject({ status: 422 })
  expect(await send('POST', '/api/submit', known, { trials: 0 })).toMatchObject({ status: 400 })
  expect(await send('POST', '/api/cancel', known, { name: 'night' })).toMatchObject({ status: 202 })
  expect(await send('POST', '/api/cancel', known, { name: 'day' })).toMatchObject({ status: 404 })
})

test('a failed export of campaign results is reported and leaves no files behind', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('joust-studio-queue-')).length
  const { send, close } = await openTestStudio({}, { campaigns })
  expect(await send('GET', '/api/results?name=queue:night')).toMatchObject({
    status: 404,
    body: '{"error":"the database is away"}',
  })
  expect(await send('GET', '/api/results?name=queue:other')).toMatchObject({ status: 404 })
  await close()
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('joust-studio-queue-')).length).toBe(before)
})

test('without a database there are no campaigns', async () => {
  const { send, known } = await openTestStudio()
  expect((await send('GET', '/api/campaigns')).body).toBe('[]')
  expect(await send('POST', '/api/submit', known, {})).toMatchObject({ status: 404 })
})
