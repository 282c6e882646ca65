/** Results of campaigns, by the names of their attacks, and as folders. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownShapes } from '@joust/arena'
import { expect, onTestFinished, test } from 'vitest'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import type { CampaignAttack } from '../src/campaign.ts'
import { openDatabase } from '../src/database.ts'
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

  /** The faults and the outcomes of trials of an export, after a change to the rows of a campaign on two targets. */
  async function changed(name: string, statement: string) {
    const url = server().database(name)
    const fleet = await openFleet(url)
    const spec = campaignOf([], 2)
    const [self] = spec.targets
    if (self === undefined) throw new Error('the campaign has no target')
    const targets = ['one', 'two'].map((target) => ({ ...self, name: target, about: { ...self.about, name: target } }))
    const attacks = ['a', 'b'].map((file, index): CampaignAttack => {
      const { fingerprint, text } = loadedAttack({ id: `TEST-00${index}`, ...selfPlay('x', ['x']) })
      return { file, fingerprint, text }
    })
    const database = await openDatabase(url)
    try {
      await fleet.submit({ ...spec, targets, attacks })
      await finish(fleet)
      await database.pool.query(statement)
      const status = await fleet.status('c')
      if (status === undefined) throw new Error('the campaign is gone')
      const faults: string[] = []
      const results = await fleet.export(status, temporary(), knownShapes(), (fault) => faults.push(fault))
      const trials = results.targets.flatMap(({ name: target, attacks }) =>
        attacks.flatMap(({ file, trials }) => trials.map(({ trial, outcome }) => ({ target, file, trial, outcome }))),
      )
      const inconclusive = trials
        .filter(({ outcome }) => outcome !== 'exploited')
        .map(({ target, file, trial, outcome }) => `${target}, ${file}, trial ${trial}: ${outcome}`)
      return { faults, inconclusive, count: trials.length, rows: await fleet.select('c', {}) }
    } finally {
      await database.close()
      await fleet.close()
    }
  }
  const trialsOf = (attack: string, said: string) => [1, 2].map((trial) => `${attack}, trial ${trial}: ${said}`)
  const lost = 'it is not in the database'

  test('name runs without a row although another target has runs of the attack', async () => {
    const { faults, inconclusive, count } = await changed(
      'pair',
      `delete from joust.run where target = 'two' and file = 'a'`,
    )
    expect(faults).toEqual(trialsOf('two, a', lost))
    expect(inconclusive).toEqual(trialsOf('two, a', 'inconclusive'))
    expect(count).toBe(8)
  }, 120_000)

  test('name all runs of a target that has no row, and rows of trials that the campaign does not have', async () => {
    const gone = await changed('target', `delete from joust.run where target = 'one'`)
    expect(gone.faults).toEqual(['one, a', 'one, b'].flatMap((attack) => trialsOf(attack, lost)))
    expect(gone.count).toBe(8)
    const more = await changed(
      'more',
      `update joust.run set trial = 3 where target = 'one' and file = 'a' and trial = 2`,
    )
    expect(more.faults).toEqual(['one, a, trial 3: the campaign has no such trial', `one, a, trial 2: ${lost}`])
    expect(more.inconclusive).toEqual(['one, a, trial 2: inconclusive'])
  }, 120_000)

  test('refuse the result of another attack', async () => {
    const { faults, inconclusive } = await changed(
      'swapped',
      `update joust.run r set result = other.result from joust.run other
         where r.target = 'one' and r.file = 'a' and other.target = 'one' and other.file = 'b' and other.trial = r.trial`,
    )
    expect(faults).toEqual(trialsOf('one, a', 'its result in the database is that of TEST-001'))
    expect(inconclusive).toEqual(trialsOf('one, a', 'inconclusive'))
  }, 120_000)

  test('refuse a result that contradicts the outcome in its row', async () => {
    const { faults, inconclusive, rows } = await changed(
      'outcome',
      `update joust.run set outcome = 'resisted' where target = 'two' and file = 'b' and trial = 1`,
    )
    const fault = 'its outcome in the database is resisted, but that of its result is exploited'
    expect(faults).toEqual([`two, b, trial 1: ${fault}`])
    expect(inconclusive).toEqual(['two, b, trial 1: inconclusive'])
    const wrong = { target: 'two', file: 'b', trial: 1, outcome: 'inconclusive', reasons: [fault], fault }
    expect(rows.filter(({ outcome }) => outcome !== 'exploited')).toEqual([expect.objectContaining(wrong)])
  }, 120_000)
})
