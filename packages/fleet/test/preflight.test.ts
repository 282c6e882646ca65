/** The preflight of a target runs once, on one of many workers, before any attack. */
import { expect, test } from 'vitest'
import { campaignOf, type Participant, withParticipants } from './participants.ts'
import { withPostgres } from './server.ts'

const TIMEOUT = 240_000

withPostgres('the preflight of a target', (server) => {
  const preflights = (workers: readonly Participant[]) =>
    workers.flatMap(({ lines }) => lines.filter((line) => line === 'preflight')).length

  test(
    'runs once; if it fails, all runs are inconclusive for the same reason',
    async () => {
      await withParticipants(server().database('once'), async ({ fleet, startLocal, done }) => {
        await fleet.submit(campaignOf(['a', 'b'], 5))
        const workers = [1, 2, 3].map(() => startLocal({ preflight: 'fails', delayMs: 1000 }))
        const end = await done()
        expect(end).toMatchObject({ runs: 10, open: 0, outcomes: { inconclusive: 10 } })
        expect(end.targets).toMatchObject([{ name: 'self', preflight: { status: 'failed' } }])
        expect(preflights(workers)).toBe(1)
        expect(workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')))).toEqual([])
        for (const { reasons } of await fleet.select('c', {})) {
          expect(reasons).toEqual([expect.stringMatching(/^the preflight failed: .*no model/)])
        }
        // Runs that are added later are inconclusive for the same reason; the preflight does not run again.
        await fleet.submit(campaignOf(['a', 'b', 'later'], 5))
        expect(await done()).toMatchObject({ runs: 15, outcomes: { inconclusive: 15 } })
        expect(preflights(workers)).toBe(1)
      })
    },
    TIMEOUT,
  )

  test(
    'is retried by another worker after a crash, three times at most',
    async () => {
      await withParticipants(server().database('lost'), async ({ fleet, startProcess, done }) => {
        await fleet.submit(campaignOf(['a'], 2))
        for (let worker = 1; worker <= 3; worker++) await startProcess({ preflight: 'kills', leaseMs: 600 }).exited
        startProcess({ preflight: 'kills', leaseMs: 600 })
        expect(await done()).toMatchObject({ outcomes: { inconclusive: 2 } })
        const [first] = await fleet.select('c', {})
        expect(first?.reasons).toEqual([expect.stringContaining('3 workers crashed')])
      })
    },
    TIMEOUT,
  )

  test(
    'is released by a worker that is stopped during it',
    async () => {
      await withParticipants(server().database('left'), async ({ fleet, startProcess, startLocal, done, status }) => {
        await fleet.submit(campaignOf(['a'], 2))
        const first = startProcess({ preflight: 'fails', delayMs: 600_000, leaseMs: 600_000 })
        await first.waitFor(/^preflight$/)
        expect((await status()).targets).toEqual([{ name: 'self', inPreflight: true }])
        first.process.kill('SIGTERM')
        await first.exited
        expect((await status()).targets).toEqual([{ name: 'self' }])
        // The lease of the first worker would not expire during the test.
        startLocal({})
        expect(await done()).toMatchObject({ outcomes: { exploited: 2 } })
      })
    },
    TIMEOUT,
  )
})
