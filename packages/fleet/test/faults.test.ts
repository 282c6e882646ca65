import { expect, test } from 'vitest'
import { enterCampaign } from '../src/campaigns.ts'
import { openDatabase } from '../src/database.ts'
import { openFleet } from '../src/index.ts'
import { createPostgresLedger } from '../src/ledger.ts'
import { campaignOf, entriesOf, pause, withCrew } from './crew.ts'
import { withPostgres } from './server.ts'

const TIMEOUT = 240_000

withPostgres('faults', (server) => {
  const fault = (name: string, work: Parameters<typeof withCrew>[1]) =>
    test(name, () => withCrew(server().database(name.replaceAll(/\W+/g, '_').slice(0, 60)), work), TIMEOUT)

  test(
    'the coordinator is killed between the books and the queue: workers find the runs all the same',
    async () => {
      const url = server().database('half_submitted')
      await withCrew(url, async ({ invite, done }) => {
        const database = await openDatabase(url)
        const spec = campaignOf(['a'], 3)
        await enterCampaign(database, spec)
        const runs = spec.attacks.flatMap(({ file, fingerprint }) =>
          [1, 2, 3].map((trial) => ({ campaign: 'c', target: 'self', file, trial, fingerprint })),
        )
        await createPostgresLedger(database, 'c').submit(runs)
        await database.close()
        invite({})
        expect(await done()).toMatchObject({ runs: 3, outcomes: { exploited: 3 } })
      })
    },
    TIMEOUT,
  )

  fault(
    'a worker is frozen past its lease: its late result is refused and told',
    async ({ fleet, start, invite, done, status }) => {
      await fleet.submit(campaignOf(['a'], 2))
      const frozen = start({ room: 1, delayMs: 400 })
      await frozen.said(/^begin/)
      frozen.process.kill('SIGSTOP')
      invite({})
      expect(await done()).toMatchObject({ runs: 2, outcomes: { exploited: 2 } })
      frozen.process.kill('SIGCONT')
      await frozen.said(/^late a/)
      // It does not count, but it has cost tokens.
      expect(await status()).toMatchObject({ late: 1, tokens: 45, outcomes: { exploited: 2 } })
    },
  )

  fault(
    'a run kills every worker that takes it: it is given up, the campaign goes on',
    async ({ fleet, start, done }) => {
      await fleet.submit(campaignOf(['a', 'poison', 'b'], 1))
      let more = true
      const crew = async () => {
        while (more) await start({ leaseMs: 600, room: 1 }).gone
      }
      const going = crew()
      const end = await done()
      more = false
      expect(end).toMatchObject({ runs: 3, outcomes: { exploited: 2, inconclusive: 1 } })
      const [lost] = await fleet.select('c', { outcome: ['inconclusive'] })
      expect(lost).toMatchObject({
        file: 'poison',
        reasons: ['3 workers were lost while they ran it; it is not tried again'],
      })
      void going
    },
  )

  fault(
    'clocks an hour apart: the worker whose clock is wrong says so and takes nothing',
    async ({ fleet, start, invite, done }) => {
      await fleet.submit(campaignOf(['a'], 4))
      const wrong = [start({ shiftMs: 3_600_000 }), start({ shiftMs: -3_600_000 })]
      await wrong[0]?.said(/clock of this machine is 3\d\d\d s ahead of .*set it/)
      await wrong[1]?.said(/clock of this machine is 3\d\d\d s behind .*set it/)
      invite({})
      expect(await done()).toMatchObject({ runs: 4, late: 0, outcomes: { exploited: 4 } })
      expect(wrong.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')))).toEqual([])
    },
  )

  fault('two coordinators submit the same campaign', async ({ invite, done }) => {
    const spec = campaignOf(['a', 'b'], 3)
    const both = [invite({ role: 'coordinator', spec }), invite({ role: 'coordinator', spec })]
    await Promise.all(both.map(({ said }) => said(/^submitted 6$/)))
    const worker = invite({})
    expect(await done()).toMatchObject({ runs: 6, late: 0, outcomes: { exploited: 6 } })
    await Promise.all(both.map(({ said }) => said(/^over$/)))
    expect([...entriesOf([worker]).values()]).toEqual([1, 1, 1, 1, 1, 1])
  })

  fault(
    'a worker lacks a secret: it says which, the books know, and another worker makes the runs',
    async ({ fleet, invite, status, done }) => {
      await fleet.submit(campaignOf(['a'], 2, { needs: ['JOUST_TEST_SECRET'] }))
      const poor = [invite({}), invite({})]
      for (const worker of poor) await worker.said(/left to other workers: it needs JOUST_TEST_SECRET/)
      while ((await status()).targets[0]?.left?.[0]?.workers.length !== 2) await pause(50)
      expect(await status()).toMatchObject({
        open: 2,
        running: 0,
        targets: [{ left: [{ reason: 'it needs JOUST_TEST_SECRET', workers: ['w0', 'w1'] }] }],
      })
      const rich = invite({ has: ['JOUST_TEST_SECRET'] })
      expect(await done()).toMatchObject({ outcomes: { exploited: 2 }, targets: [{ name: 'self' }] })
      expect(entriesOf([rich]).size).toBe(2)
      expect((await status()).targets[0]?.left).toBeUndefined()
      expect(poor.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')))).toEqual([])
    },
  )

  fault('a limit of a target holds over all workers', async ({ fleet, invite, done }) => {
    await fleet.submit(campaignOf(['a', 'b'], 3, { plan: { concurrency: 1 } }))
    const both = [invite({ delayMs: 100 }), invite({ delayMs: 100 })]
    let most = 0
    const ended = done()
    let over = false
    void ended.then(() => (over = true))
    while (!over) {
      const lines = both.flatMap((member) => member.lines)
      const count = (word: string) => lines.filter((line) => line.startsWith(word)).length
      most = Math.max(most, count('begin') - count('recorded'))
      await pause(10)
    }
    expect(await ended).toMatchObject({ runs: 6, open: 0 })
    expect(most).toBe(1)
  })

  fault(
    'a token budget stops the campaign, and says by how much it was overshot',
    async ({ fleet, invite, status }) => {
      await fleet.submit(campaignOf(['a'], 20, { plan: { budget: { tokens: 40 } } }))
      invite({ room: 2 })
      let now = await status()
      while (now.state === 'open' || now.running > 0) {
        await pause(50)
        now = await status()
      }
      const done = now.runs - now.open
      // Two at a time: while one used up the budget, another was under way.
      expect([3, 4]).toContain(done)
      expect(now.tokens).toBe(15 * done)
      expect(now.stopped).toBe(
        `the budget of 40 tokens is used up (${now.tokens}, ${now.tokens - 40} more by what was under way)`,
      )
    },
  )

  test('a budget of time stops the campaign by the clock of the database, and nothing more is taken', async () => {
    const fleet = await openFleet(server().database('time'))
    await fleet.submit(campaignOf(['a'], 1, { plan: { budget: { milliseconds: 1 } } }))
    const { signal } = new AbortController()
    const prepare = () => Promise.reject(new Error('it was taken'))
    const made = fleet.work({ name: 'w', concurrency: 1, drain: true, signal, prepare })
    expect(await made.next()).toEqual({ done: true, value: undefined })
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
    'what is under way when a campaign is cancelled is entered, and until then it is not over',
    async ({ fleet, invite, status }) => {
      await fleet.submit(campaignOf(['a'], 2))
      const worker = invite({ room: 1, delayMs: 3500, leaseMs: 1200 })
      await worker.said(/^begin/)
      expect(await fleet.cancel('c')).toBe(true)
      while (!worker.lines.some((line) => line.startsWith('recorded'))) {
        const { open, running } = await status()
        if (open === 2) expect(running).toBe(1)
        await pause(50)
      }
      expect(await status()).toMatchObject({ state: 'cancelled', open: 1, running: 0, late: 0 })
    },
  )

  fault('a model that is busy is asked again: counted, told', async ({ fleet, invite, done }) => {
    await fleet.submit(campaignOf(['a'], 1, { plan: { retries: 2 } }))
    invite({ busy: 1 })
    expect(await done()).toMatchObject({ retried: 1, calls: 2, tokens: 30, outcomes: { exploited: 1 } })
  })

  fault('a run is not made again once the budget is used up', async ({ fleet, invite, done }) => {
    await fleet.submit(campaignOf(['a'], 1, { plan: { retries: 5, budget: { calls: 2 } } }))
    invite({ busy: 9 })
    expect(await done()).toMatchObject({ retried: 1, calls: 2, outcomes: { inconclusive: 1 } })
  })

  test(
    'a worker of another version leaves what it reads differently to others',
    async () => {
      const url = server().database('reader')
      await withCrew(url, async ({ invite, status }) => {
        const { attacks, ...spec } = campaignOf(['a'], 1)
        const fleet = await openFleet(url)
        await fleet.submit({ ...spec, attacks: attacks.map((attack) => ({ ...attack, fingerprint: 'other' })) })
        await invite({}).said(/left to other workers: a is read differently here: this is another version of joust/)
        expect(await status()).toMatchObject({ open: 1, running: 0 })
        await fleet.close()
      })
    },
    TIMEOUT,
  )

  test('many start at once on an empty database', async () => {
    const url = server().database('empty')
    const fleets = await Promise.all(Array.from({ length: 8 }, () => openFleet(url)))
    const spec = campaignOf(['a'], 2)
    expect(await Promise.all(fleets.map((fleet) => fleet.submit(spec)))).toEqual(Array(8).fill(2))
    await Promise.all(fleets.map((fleet) => fleet.close()))
  })

  test('a database of another version is left alone', async () => {
    const url = server().database('other_version')
    const database = await openDatabase(url)
    await database.pool.query('update joust.version set version = 99')
    await database.close()
    await expect(openFleet(url)).rejects.toThrow(/of version 99, this is version 5: use the joust that wrote them/)
  })

  test('a database that cannot be used, with what to do', async () => {
    const there = server().database('there')
    const shut = server().database('shut')
    const database = await openDatabase(there)
    await database.pool.query('create role guest login')
    await database.close()
    const refused = async (url: string) => openFleet(url).catch((thrown: Error) => thrown.message)
    expect(await refused('postgres://u:secret@127.0.0.1:9/x')).toMatch(
      /^the database 127.0.0.1:9\/x cannot be used: .*: nothing listens there; start PostgreSQL/,
    )
    expect(await refused(there.replace(/there$/, 'nowhere'))).toMatch(/"nowhere" does not exist: create the database/)
    expect(await refused(there.replace('postgres@', 'nobody@'))).toMatch(/"nobody" does not exist: correct the user/)
    expect(await refused(shut.replace('postgres@', 'guest@'))).toMatch(
      /permission denied for database shut: let this user create schemas/,
    )
  })

  test('the same name with other content is refused', async () => {
    const fleet = await openFleet(server().database('unlike'))
    await fleet.submit(campaignOf(['a'], 1))
    await expect(fleet.submit(campaignOf(['a'], 2))).rejects.toThrow(/was submitted with other options/)
    await expect(fleet.submit(campaignOf(['a'], 1, { needs: ['X'] }))).rejects.toThrow(/attacks another self/)
    const heavy = campaignOf(['a'], 1, { needs: ['x'.repeat(17_000_000)] })
    await expect(fleet.submit({ ...heavy, name: 'heavy' })).rejects.toThrow(/the limit targetCharacters is 16777216/)
    expect(await fleet.submit(campaignOf(['a', 'b'], 1))).toBe(2)
    await fleet.close()
  })
})
