/** Live traces of watched runs. */
import { knownShapes, type Redacted, type TraceEntry } from '@joust/results'
import { memoryTrace } from '@joust/results/files'
import { lostTrial } from '@joust/trials'
import { expect, test } from 'vitest'
import { insertCampaign, takeLease } from '../src/campaigns.ts'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { showLiveRuns, type WatchedRun, watchRun } from '../src/live.ts'
import { campaignOf, pause } from './participants.ts'
import { withPostgres } from './server.ts'

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

withPostgres('a watched run', (server) => {
  test('is uploaded by its worker, redacted, until it has a result; unwatched runs are not uploaded', async () => {
    const url = server().database('watched')
    const fleet = await openFleet(url)
    const database = await openDatabase(url)
    await fleet.submit(campaignOf(['a'], 2, { text: ` ${SECRET}` }))
    const stop = new AbortController()
    // The actors finish immediately; the run then stays in its grace period.
    const run = () => ({ wire: { client: 'server' }, limits: { graceMs: 600_000 }, signal: stop.signal })
    const prepare = async () => ({ ok: true, value: { redactor: knownShapes(), run } }) as const
    const options = { name: 'w', concurrency: 2, drain: true, signal: new AbortController().signal, prepare }
    const work = (async () => {
      for await (const { trial } of fleet.work(options)) void trial
    })()
    try {
      const growing = await until(
        () => fleet.watch({ campaign: 'c', target: 'self', file: 'a', arm: 'attack', trial: 2 }),
        ({ entries }) => entries.some(({ surface }) => surface === 'tools/call'),
      )
      expect(growing).toMatchObject({ isRunning: true })
      expect(growing.trial).toBeUndefined()
      expect(JSON.stringify(growing.entries)).not.toContain(SECRET)
      expect(growing.entries.some(({ redacted }) => redacted)).toBe(true)
      const running = await fleet.running('c')
      expect(running.map(({ trial }) => trial).sort()).toEqual([1, 2])
      const { rows } = await database.pool.query('select distinct trial from joust.live')
      expect(rows).toEqual([{ trial: 2 }])
      stop.abort()
      await work
      const { attempt, part } = growing
      const over = await fleet.watch({
        campaign: 'c',
        target: 'self',
        file: 'a',
        arm: 'attack',
        trial: 2,
        attempt,
        part,
      })
      expect(over).toMatchObject({ isRunning: false, trial: { trial: 2 } })
      expect(over?.entries.slice(0, growing.entries.length)).toEqual(growing.entries)
      expect((await database.pool.query('select 1 from joust.live')).rowCount).toBe(0)
      expect(await fleet.watch({ campaign: 'c', target: 'self', file: 'a', arm: 'attack', trial: 3 })).toBeUndefined()
    } finally {
      stop.abort()
      await work
      await database.close()
      await fleet.close()
    }
  }, 120_000)

  test('arrives in parts, and starts over when the run is retried', async () => {
    const database = await openDatabase(server().database('parts'))
    const target = { name: 't', about: { kind: 'model', name: 'x' }, setup: {} } as const
    await insertCampaign(database, { name: 'c', plan: { trials: 1 }, targets: [target], attacks: [] })
    const ledger = createPostgresLedger(database, 'c')
    const run = { ...at, file: 'f' }
    await ledger.submit([run])
    await takeLease(database, run, 'w', 600_000)
    const live = showLiveRuns(database, 'w')
    const watch = (last: Partial<WatchedRun>) =>
      until(
        () => watchRun(database, watchAfter(last)),
        ({ entries }) => entries.length > 0,
      )
    const watchAfter = ({ attempt = '', part = 0 }: Partial<WatchedRun>) => ({ ...run, attempt, part })
    const first = memoryTrace(10_000)
    first.write(entry(1, 'a\0b'))
    live.begin(run, first)
    const one = await watch({})
    expect(one.entries.map(({ seq, content }) => [seq, content])).toEqual([[1, { text: 'a\0b' }]])
    first.write(entry(2, 'second'))
    const two = await watch(one)
    expect(two).toMatchObject({ attempt: one.attempt, part: 2, entries: [{ seq: 2 }] })
    // A later watcher gets both.
    expect((await watch({})).entries).toHaveLength(2)
    const again = memoryTrace(10_000)
    again.write(entry(1, 'again'))
    live.begin(run, again)
    const third = await watch(two)
    expect(third.attempt).not.toBe(one.attempt)
    expect(third.entries.map(({ content }) => content)).toEqual([{ text: 'again' }])
    await live.end(run)
    live.close()
    // Recording the result deletes the parts that a lost worker has uploaded.
    await ledger.finish(run, lostTrial(1, 'lost'))
    expect((await database.pool.query('select 1 from joust.live')).rowCount).toBe(0)
    expect(await watchRun(database, watchAfter(third))).toMatchObject({ trial: { outcome: 'inconclusive' } })
    await database.close()
  }, 120_000)

  test('is deleted by any worker once its lease and its mark have expired', async () => {
    const database = await openDatabase(server().database('left'))
    const target = { name: 't', about: { kind: 'model', name: 'x' }, setup: {} } as const
    await insertCampaign(database, { name: 'c', plan: { trials: 1 }, targets: [target], attacks: [] })
    const runs = ['lost', 'held', 'watched'].map((file) => ({ ...at, file }))
    await createPostgresLedger(database, 'c').submit(runs)
    const show = `insert into joust.live select campaign, target, file, arm, trial, fingerprint, 'first', 1, '' from joust.run`
    await database.pool.query(show)
    const past = `clock_timestamp() - interval '1 second'`
    const ahead = `clock_timestamp() + interval '1 hour'`
    await database.pool.query(
      `update joust.run set lease = case file when 'held' then ${ahead} else ${past} end,
         watched = case file when 'watched' then ${ahead} else ${past} end`,
    )
    const other = showLiveRuns(database, 'other')
    const shown = async () => (await database.pool.query('select file from joust.live order by file')).rows
    while ((await shown()).length === 3) await pause(50)
    other.close()
    await other.end({ ...at, file: 'lost' })
    expect(await shown()).toEqual([{ file: 'held' }, { file: 'watched' }])
    await database.close()
  }, 120_000)
})

const at = { campaign: 'c', target: 't', arm: 'attack', trial: 1, fingerprint: 'x' } as const

function entry(seq: number, text: string): Redacted<TraceEntry> {
  const whole: TraceEntry = {
    seq,
    at: '2026-01-01T00:00:00.000Z',
    elapsed_ms: 0,
    actor: 'a',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'p',
    direction: 'request',
    flow: 'in',
    surface: 'tools/call',
    content: { text },
  }
  // The entry contains no secrets.
  return whole as Redacted<TraceEntry>
}

async function until(
  read: () => Promise<WatchedRun | undefined>,
  isMatch: (run: WatchedRun) => boolean,
): Promise<WatchedRun> {
  for (;;) {
    const run = await read()
    if (run !== undefined && isMatch(run)) return run
    await pause(50)
  }
}
