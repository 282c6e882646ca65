import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFleet } from '@joust/fleet'
import { loadResults } from '@joust/results/files'
import { expect, test } from 'vitest'
import { withPostgres } from '../../../fleet/test/server.ts'
import { specOf } from '../../src/commands/campaign/run.ts'
import { campaignWork } from '../../src/studio/campaigns.ts'
import { prepareCampaign } from '../../src/studio/work.ts'
import { SERVER } from '../run/documents.ts'
import { folder, joust, memoryIo } from '../world.ts'

withPostgres('campaigns of the studio', (server) => {
  test('are submitted as joust run --queue does, made by workers, and read back with their traces', async () => {
    const url = server().database('studio')
    const cwd = folder({
      'a.oatf.yaml': SERVER,
      'joust.yaml':
        'attacks: [a.oatf.yaml]\ntargets:\n  naive: { model: sim/credulous }\n  careful: { model: sim/cautious }\n',
    })
    const { io } = memoryIo({ cwd })
    const fleet = await openFleet(url, {})
    try {
      const work = campaignWork({
        fleet,
        place: 'here',
        specOf: async (request) => {
          const prepared = await prepareCampaign(request, url, io)
          return prepared.ok ? specOf(prepared.value.prepared, prepared.value.io) : prepared
        },
      })
      expect(await work.submit({ targets: ['nobody'] })).toMatchObject({ ok: false })
      const submitted = await work.submit({ targets: ['naive'], trials: 2 })
      if (!submitted.ok) throw new Error(submitted.error)
      const [waiting] = await work.list()
      expect(waiting).toMatchObject({
        name: submitted.value,
        state: 'open',
        runs: 2,
        open: 2,
        targets: ['model naive'],
      })
      expect(await joust(['worker', '--queue', url, '--drain', '--quiet'], { cwd: folder() })).toMatchObject({
        code: 0,
      })
      expect(await work.list()).toMatchObject([{ state: 'done', open: 0, outcomes: { exploited: 2 } }])
      expect(await work.runs(submitted.value)).toMatchObject([{ outcome: 'exploited' }, { outcome: 'exploited' }])
      const place = { target: 'model naive', file: 'a.oatf.yaml', trial: 1 }
      const watched = await work.watch(submitted.value, place, { attempt: '', part: 0 })
      expect(watched).toMatchObject({ isRunning: false, trial: { outcome: 'exploited' } })
      expect(watched?.entries[0]).toMatchObject({ seq: 1 })
      const out = mkdtempSync(join(tmpdir(), 'joust-studio-campaign-'))
      expect(await work.write(submitted.value, out)).toMatchObject({ ok: true })
      const read = await loadResults(out)
      expect(read.ok && read.value.results.targets[0]?.attacks[0]?.trials).toHaveLength(2)
      expect(await work.cancel(submitted.value)).toBe(true)
    } finally {
      await fleet.close()
    }
  }, 120_000)
})

test('an address that is not a queue is reported', async () => {
  expect(await joust(['studio', '--no-open', '--queue', 'redis://x'], { cwd: folder() })).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('--queue'),
  })
})
