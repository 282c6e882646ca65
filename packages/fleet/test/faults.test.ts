import { expect, test } from 'vitest'
import { insertCampaign } from '../src/campaigns.ts'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { campaignOf, countRecorded, pause, withParticipants } from './participants.ts'
import { withPostgres } from './server.ts'

const TIMEOUT = 240_000

withPostgres('campaign faults', (server) => {
  const fault = (name: string, work: Parameters<typeof withParticipants>[1]) =>
    test(name, () => withParticipants(server().database(name.replaceAll(/\W+/g, '_').slice(0, 60)), work), TIMEOUT)

  test(
    'runs that are in the ledger but were never queued are picked up by workers',
    async () => {
      const url = server().database('half_submitted')
      await withParticipants(url, async ({ startLocal, done }) => {
        const database = await openDatabase(url)
        const spec = campaignOf(['a'], 3)
        await insertCampaign(database, spec)
        const runs = spec.attacks.flatMap(({ file, fingerprint }) =>
          [1, 2, 3].map((trial) => ({
            campaign: 'c',
            target: 'self',
            file,
            arm: 'attack' as const,
            trial,
            fingerprint,
          })),
        )
        await createPostgresLedger(database, 'c').submit(runs)
        await database.close()
        startLocal({})
        expect(await done()).toMatchObject({ runs: 3, outcomes: { exploited: 3 } })
      })
    },
    TIMEOUT,
  )

  fault(
    'the late result of a worker that was suspended past its lease is not counted',
    async ({ fleet, startProcess, startLocal, done, status }) => {
      await fleet.submit(campaignOf(['a'], 2))
      const frozen = startProcess({ room: 1, delayMs: 400 })
      await frozen.waitFor(/^begin/)
      frozen.process.kill('SIGSTOP')
      startLocal({})
      expect(await done()).toMatchObject({ runs: 2, outcomes: { exploited: 2 } })
      frozen.process.kill('SIGCONT')
      await frozen.waitFor(/^late a/)
      // The result does not count, but its tokens do.
      expect(await status()).toMatchObject({ late: 1, tokens: 45, outcomes: { exploited: 2 } })
    },
  )

  fault(
    'a run that crashes every worker is given up and the campaign continues',
    async ({ fleet, startProcess, done }) => {
      await fleet.submit(campaignOf(['a', 'poison', 'b'], 1))
      let more = true
      const restartWorkers = async () => {
        while (more) await startProcess({ leaseMs: 600, room: 1 }).exited
      }
      const restarts = restartWorkers()
      const end = await done()
      more = false
      expect(end).toMatchObject({ runs: 3, outcomes: { exploited: 2, inconclusive: 1 } })
      const [lost] = await fleet.select('c', { outcome: ['inconclusive'] })
      expect(lost).toMatchObject({
        file: 'poison',
        reasons: ['3 workers crashed or lost their connection during this run; no further retries'],
      })
      void restarts
    },
  )

  fault(
    'a worker whose clock is an hour off reports it and takes no runs',
    async ({ fleet, startProcess, startLocal, done }) => {
      await fleet.submit(campaignOf(['a'], 4))
      const wrong = [startProcess({ shiftMs: 3_600_000 }), startProcess({ shiftMs: -3_600_000 })]
      await wrong[0]?.waitFor(/local clock is 3\d\d\d s ahead of the database/)
      await wrong[1]?.waitFor(/local clock is 3\d\d\d s behind the database/)
      startLocal({})
      expect(await done()).toMatchObject({ runs: 4, late: 0, outcomes: { exploited: 4 } })
      expect(wrong.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')))).toEqual([])
    },
  )

  fault('two coordinators can submit the same campaign', async ({ startLocal, done }) => {
    const spec = campaignOf(['a', 'b'], 3)
    const both = [startLocal({ role: 'coordinator', spec }), startLocal({ role: 'coordinator', spec })]
    await Promise.all(both.map(({ waitFor }) => waitFor(/^submitted 6$/)))
    const worker = startLocal({})
    expect(await done()).toMatchObject({ runs: 6, late: 0, outcomes: { exploited: 6 } })
    await Promise.all(both.map(({ waitFor }) => waitFor(/^closed$/)))
    expect([...countRecorded([worker]).values()]).toEqual([1, 1, 1, 1, 1, 1])
  })

  fault(
    'a worker without a required secret records a refusal and another worker takes the runs',
    async ({ fleet, startLocal, status, done }) => {
      await fleet.submit(campaignOf(['a'], 2, { needs: ['JOUST_TEST_SECRET'] }))
      const refusing = [startLocal({}), startLocal({})]
      for (const worker of refusing) await worker.waitFor(/cannot attack self: it needs JOUST_TEST_SECRET/)
      while ((await status()).targets[0]?.left?.[0]?.workers.length !== 2) await pause(50)
      expect(await status()).toMatchObject({
        open: 2,
        running: 0,
        targets: [{ left: [{ reason: 'it needs JOUST_TEST_SECRET', workers: ['w0', 'w1'] }] }],
      })
      const able = startLocal({ has: ['JOUST_TEST_SECRET'] })
      expect(await done()).toMatchObject({ outcomes: { exploited: 2 }, targets: [{ name: 'self' }] })
      expect(countRecorded([able]).size).toBe(2)
      expect((await status()).targets[0]?.left).toBeUndefined()
      expect(refusing.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')))).toEqual([])
    },
  )

  fault('the concurrency limit of a target applies over all workers', async ({ fleet, startLocal, done }) => {
    await fleet.submit(campaignOf(['a', 'b'], 3, { plan: { concurrency: 1 } }))
    const both = [startLocal({ delayMs: 100 }), startLocal({ delayMs: 100 })]
    let most = 0
    const ended = done()
    let over = false
    void ended.then(() => (over = true))
    while (!over) {
      const lines = both.flatMap((worker) => worker.lines)
      const count = (word: string) => lines.filter((line) => line.startsWith(word)).length
      most = Math.max(most, count('begin') - count('recorded'))
      await pause(10)
    }
    expect(await ended).toMatchObject({ runs: 6, open: 0 })
    expect(most).toBe(1)
  })

  fault('a token budget stops the campaign and the status has the overshoot', async ({ fleet, startLocal, status }) => {
    await fleet.submit(campaignOf(['a'], 20, { plan: { budget: { tokens: 40 } } }))
    startLocal({ room: 2 })
    let now = await status()
    while (now.state === 'open' || now.running > 0) {
      await pause(50)
      now = await status()
    }
    const done = now.runs - now.open
    // With two at a time, one run is in progress when the other uses up the budget.
    expect([3, 4]).toContain(done)
    expect(now.tokens).toBe(15 * done)
    expect(now.stopped).toBe(
      `the budget of 40 tokens is used up (${now.tokens} used, ${now.tokens - 40} over the budget)`,
    )
  })

  test('a time budget stops the campaign by the clock of the database', async () => {
    const fleet = await openFleet(server().database('time'))
    await fleet.submit(campaignOf(['a'], 1, { plan: { budget: { milliseconds: 1 } } }))
    const { signal } = new AbortController()
    const prepare = () => Promise.reject(new Error('unexpected call of prepare'))
    const work = fleet.work({ name: 'w', concurrency: 1, drain: true, signal, prepare })
    expect(await work.next()).toEqual({ done: true, value: undefined })
    expect(await fleet.status('c')).toMatchObject({
      state: 'stopped',
      open: 1,
      running: 0,
      stopped: 'the budget of 0.001 s is used up',
      targets: [{ name: 'self' }],
    })
    await fleet.close()
  })

  fault(
    'running attacks of a cancelled campaign are recorded, and count as running until then',
    async ({ fleet, startLocal, status }) => {
      await fleet.submit(campaignOf(['a'], 2))
      const worker = startLocal({ room: 1, delayMs: 3500, leaseMs: 1200 })
      await worker.waitFor(/^begin/)
      expect(await fleet.cancel('c')).toBe(true)
      while (!worker.lines.some((line) => line.startsWith('recorded'))) {
        const { open, running } = await status()
        if (open === 2) expect(running).toBe(1)
        await pause(50)
      }
      expect(await status()).toMatchObject({ state: 'cancelled', open: 1, running: 0, late: 0 })
    },
  )

  fault('retries after status 429 are counted', async ({ fleet, startLocal, done }) => {
    await fleet.submit(campaignOf(['a'], 1, { plan: { retries: 2 } }))
    startLocal({ busy: 1 })
    expect(await done()).toMatchObject({ retried: 1, calls: 2, tokens: 30, outcomes: { exploited: 1 } })
  })

  fault('a run is not retried once the budget is used up', async ({ fleet, startLocal, done }) => {
    await fleet.submit(campaignOf(['a'], 1, { plan: { retries: 5, budget: { calls: 2 } } }))
    startLocal({ busy: 9 })
    expect(await done()).toMatchObject({ retried: 1, calls: 2, outcomes: { inconclusive: 1 } })
  })

  test(
    'a worker refuses a document that its version reads differently',
    async () => {
      const url = server().database('reader')
      await withParticipants(url, async ({ startLocal, status }) => {
        const { attacks, ...spec } = campaignOf(['a'], 1)
        const fleet = await openFleet(url)
        await fleet.submit({ ...spec, attacks: attacks.map((attack) => ({ ...attack, fingerprint: 'other' })) })
        await startLocal({}).waitFor(/cannot attack self: this version of joust reads a differently/)
        expect(await status()).toMatchObject({ open: 1, running: 0 })
        await fleet.close()
      })
    },
    TIMEOUT,
  )

  test('many processes can create the tables at once', async () => {
    const url = server().database('empty')
    const fleets = await Promise.all(Array.from({ length: 8 }, () => openFleet(url)))
    const spec = campaignOf(['a'], 2)
    expect(await Promise.all(fleets.map((fleet) => fleet.submit(spec)))).toEqual(Array(8).fill(2))
    await Promise.all(fleets.map((fleet) => fleet.close()))
  })

  test('tables of another version are rejected', async () => {
    const url = server().database('other_version')
    const database = await openDatabase(url)
    await database.pool.query('update joust.version set version = 99')
    await database.close()
    await expect(openFleet(url)).rejects.toThrow(/expected version 7 of the joust tables, got 99/)
  })

  test('a failed connection is reported with a remedy', async () => {
    const existing = server().database('existing')
    const denied = server().database('denied')
    const database = await openDatabase(existing)
    await database.pool.query('create role guest login')
    await database.close()
    const messageFor = async (url: string) => openFleet(url).catch((thrown: Error) => thrown.message)
    expect(await messageFor('postgres://u:secret@127.0.0.1:9/x')).toMatch(
      /^cannot use the database 127.0.0.1:9\/x: .*: start PostgreSQL/,
    )
    expect(await messageFor(existing.replace(/existing$/, 'missing'))).toMatch(
      /"missing" does not exist: create the database/,
    )
    expect(await messageFor(existing.replace('postgres@', 'unknown@'))).toMatch(
      /"unknown" does not exist: correct the user/,
    )
    expect(await messageFor(denied.replace('postgres@', 'guest@'))).toMatch(
      /permission denied for database denied: allow this user to create schemas/,
    )
  })

  test('a campaign of the same name with other content is rejected', async () => {
    const fleet = await openFleet(server().database('conflict'))
    await fleet.submit(campaignOf(['a'], 1))
    await expect(fleet.submit(campaignOf(['a'], 2))).rejects.toThrow(/already exists with different options/)
    await expect(fleet.submit(campaignOf(['a'], 1, { needs: ['X'] }))).rejects.toThrow(
      /with different files or options for self/,
    )
    const heavy = campaignOf(['a'], 1, { needs: ['x'.repeat(17_000_000)] })
    await expect(fleet.submit({ ...heavy, name: 'heavy' })).rejects.toThrow(
      /the limit is 16777216 \(targetCharacters\)/,
    )
    expect(await fleet.submit(campaignOf(['a', 'b'], 1))).toBe(2)
    await fleet.close()
  })
})
