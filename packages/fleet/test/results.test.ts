/** Results of campaigns, queried and exported. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knownShapes } from '@joust/results'
import { expect, onTestFinished, test } from 'vitest'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import type { CampaignAttack } from '../src/campaign.ts'
import { openDatabase } from '../src/database.ts'
import { type Fleet, openFleet } from '../src/index.ts'
import { campaignOf } from './participants.ts'
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
  test('distinguish two versions of a file', async () => {
    const fleet = await openFleet(server().database('versions'))
    const spec = campaignOf([], 2)
    try {
      await expect(fleet.submit({ ...spec, attacks: versions })).rejects.toThrow('duplicate attack name a;')
      expect(await fleet.campaigns()).toEqual([])
      for (const attack of versions) await fleet.submit({ ...spec, attacks: [attack] })
      await finish(fleet)
      const outcomes = ['exploited', 'resisted']
      const rows = (await fleet.select('c', {})).map(({ file, outcome }) => ({ file, outcome }))
      const expected = names.flatMap((file, index) => Array(2).fill({ file, outcome: outcomes[index] }))
      expect(rows).toEqual(expect.arrayContaining(expected))
      const watched = await Promise.all(
        names.map((file) => fleet.watch({ campaign: 'c', target: 'self', file, arm: 'attack', trial: 1 })),
      )
      expect(watched.map((run) => run?.trial?.outcome)).toEqual(outcomes)
      const status = await fleet.status('c')
      if (status === undefined) throw new Error('missing campaign')
      const [target] = (await fleet.export(status, temporary(), knownShapes())).targets
      const exported = target?.attacks.map(({ file, outcome, trials }) => [file, outcome, trials.length])
      expect(exported).toEqual(expect.arrayContaining(names.map((file, index) => [file, outcomes[index], 2])))
      expect(exported).toHaveLength(2)
    } finally {
      await fleet.close()
    }
  }, 120_000)

  const [self] = campaignOf([], 2).targets
  if (self === undefined) throw new Error('the campaign has no target')
  const targets = ['one', 'two'].map((target) => ({ ...self, name: target, about: { ...self.about, name: target } }))
  const attacks = ['a', 'b'].map((file, index): CampaignAttack => {
    const { fingerprint, text } = loadedAttack({ id: `TEST-00${index}`, ...selfPlay('x', ['x']) })
    return { file, fingerprint, text }
  })
  const whole = [{ targets, attacks }]

  /** Runs a campaign on two targets, changes its rows, and returns the faults and outcomes of an export. */
  async function changed(name: string, statement: string, submitted: typeof whole = whole) {
    const url = server().database(name)
    const fleet = await openFleet(url)
    const spec = campaignOf([], 2)
    const database = await openDatabase(url)
    try {
      for (const part of submitted) await fleet.submit({ ...spec, ...part })
      await finish(fleet)
      await database.pool.query(statement)
      const status = await fleet.status('c')
      if (status === undefined) throw new Error('missing campaign')
      const faults: string[] = []
      const results = await fleet.export(status, temporary(), knownShapes(), (fault) => faults.push(fault))
      const trials = results.targets.flatMap(({ name: target, attacks }) =>
        attacks.flatMap(({ file, trials }) => trials.map(({ trial, outcome }) => ({ target, file, trial, outcome }))),
      )
      const inconclusive = trials
        .filter(({ outcome }) => outcome !== 'exploited')
        .map(({ target, file, trial, outcome }) => `${target}, ${file}, trial ${trial}: ${outcome}`)
      const counted: string[] = []
      const { runs, open, outcomes } = await fleet.count(status, (fault) => counted.push(fault))
      expect(counted).toEqual(faults)
      expect([runs, open]).toEqual([trials.length, 0])
      expect(outcomes).toMatchObject({
        exploited: trials.length - inconclusive.length,
        inconclusive: inconclusive.length,
      })
      return { faults, inconclusive, count: trials.length, rows: await fleet.select('c', {}), status }
    } finally {
      await database.close()
      await fleet.close()
    }
  }
  const trialsOf = (attack: string, text: string) => [1, 2].map((trial) => `${attack}, trial ${trial}: ${text}`)
  const missing = 'run missing from the database'

  test('report runs without a row even if another target has runs of the attack', async () => {
    const { faults, inconclusive, count } = await changed(
      'pair',
      `delete from joust.run where target = 'two' and file = 'a'`,
    )
    expect(faults).toEqual(trialsOf('two, a', missing))
    expect(inconclusive).toEqual(trialsOf('two, a', 'inconclusive'))
    expect(count).toBe(8)
  }, 120_000)

  test('report all runs of a target without rows, and rows of unplanned trials', async () => {
    const empty = await changed('target', `delete from joust.run where target = 'one'`)
    expect(empty.faults).toEqual(['one, a', 'one, b'].flatMap((attack) => trialsOf(attack, missing)))
    expect(empty.count).toBe(8)
    const more = await changed(
      'more',
      `update joust.run set trial = 3 where target = 'one' and file = 'a' and trial = 2`,
    )
    expect(more.faults).toEqual(['one, a, trial 3: expected at most 2 trials', `one, a, trial 2: ${missing}`])
    expect(more.inconclusive).toEqual(['one, a, trial 2: inconclusive'])
  }, 120_000)

  test('include an attack only for the targets that it was submitted for', async () => {
    const parts = targets.map((target, index) => ({ targets: [target], attacks: attacks.slice(index) }))
    const { faults, count } = await changed('parts', 'select', parts)
    expect({ faults, count }).toEqual({ faults: [], count: 6 })
    const lacking = await changed('lacking', `delete from joust.run where target = 'two' and trial = 1`, parts)
    expect(lacking.faults).toEqual([`two, b, trial 1: ${missing}`])
    const more = await changed('unplanned', `update joust.run set target = 'two' where file = 'a'`, parts)
    const other = trialsOf('two, a', 'attack not planned for this target')
    expect(more.faults).toEqual([...other, ...trialsOf('one, a', missing)])
  }, 120_000)

  test('report the result of another attack', async () => {
    const { faults, inconclusive } = await changed(
      'swapped',
      `update joust.run r set result = other.result from joust.run other
         where r.target = 'one' and r.file = 'a' and other.target = 'one' and other.file = 'b' and other.trial = r.trial`,
    )
    expect(faults).toEqual(trialsOf('one, a', 'expected a result for TEST-000 in the database, got TEST-001'))
    expect(inconclusive).toEqual(trialsOf('one, a', 'inconclusive'))
  }, 120_000)

  test('report a result that contradicts the outcome in its row', async () => {
    const { faults, inconclusive, rows, status } = await changed(
      'outcome',
      `update joust.run set outcome = 'resisted' where target = 'two' and file = 'b' and trial = 1`,
    )
    const fault = 'the outcome in the database is resisted, but the result has exploited'
    expect(faults).toEqual([`two, b, trial 1: ${fault}`])
    expect(inconclusive).toEqual(['two, b, trial 1: inconclusive'])
    const wrong = { target: 'two', file: 'b', trial: 1, outcome: 'inconclusive', reasons: [fault], fault }
    expect(rows.filter(({ outcome }) => outcome !== 'exploited')).toEqual([expect.objectContaining(wrong)])
    expect(status.outcomes).toMatchObject({ exploited: 7, resisted: 0, inconclusive: 1 })
  }, 120_000)
})
