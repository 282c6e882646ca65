/** Results of campaigns, by the names of their attacks, and as folders. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownShapes } from '@joust/arena'
import { expect, onTestFinished, test } from 'vitest'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import type { CampaignAttack } from '../src/campaign.ts'
import { type Fleet, openFleet } from '../src/index.ts'
import { campaignOf } from './crew.ts'
import { withPostgres } from './server.ts'

/** Two versions of one file: the agent falls for the first and resists the second. */
const versions = ['x', 'y'].map((word): CampaignAttack => {
  const { fingerprint, text } = loadedAttack(selfPlay(word, ['x']))
  return { file: 'a', fingerprint, text }
})
const names = versions.map(({ fingerprint }) => `a@${fingerprint.slice(0, 16)}`)

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'joust-results-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function finish(fleet: Fleet): Promise<void> {
  const run = () => ({ wire: { client: 'server' }, limits: { graceMs: 0 } })
  const prepare = async () => ({ ok: true, value: { redactor: knownShapes(), run } }) as const
  const options = { name: 'w', concurrency: 2, drain: true, signal: new AbortController().signal, prepare }
  for await (const { trial } of fleet.work(options)) void trial
}

withPostgres('the results of a campaign', (server) => {
  test('keep two versions of a file apart, wherever they are shown', async () => {
    const fleet = await openFleet(server().database('versions'))
    const spec = campaignOf([], 2)
    try {
      await expect(fleet.submit({ ...spec, attacks: versions })).rejects.toThrow('two attacks have the name a,')
      expect(await fleet.campaigns()).toEqual([])
      for (const attack of versions) await fleet.submit({ ...spec, attacks: [attack] })
      await finish(fleet)
      const outcomes = ['exploited', 'resisted']
      const rows = (await fleet.select('c', {})).map(({ file, outcome }) => ({ file, outcome }))
      const expected = names.flatMap((file, index) => Array(2).fill({ file, outcome: outcomes[index] }))
      expect(rows).toEqual(expect.arrayContaining(expected))
      const watched = await Promise.all(
        names.map((file) => fleet.watch({ campaign: 'c', target: 'self', file, trial: 1 })),
      )
      expect(watched.map((run) => run?.trial?.outcome)).toEqual(outcomes)
      const status = await fleet.status('c')
      if (status === undefined) throw new Error('the campaign is gone')
      const [target] = (await fleet.export(status, temporary(), knownShapes())).targets
      const exported = target?.attacks.map(({ file, outcome, trials }) => [file, outcome, trials.length])
      expect(exported).toEqual(expect.arrayContaining(names.map((file, index) => [file, outcomes[index], 2])))
      expect(exported).toHaveLength(2)
    } finally {
      await fleet.close()
    }
  }, 120_000)
})
