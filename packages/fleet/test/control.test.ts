/** The control comes first, over many workers: once for each target, by one of them. */
import { expect, test } from 'vitest'
import { campaignOf, type Guest, withCrew } from './crew.ts'
import { withPostgres } from './server.ts'

const TIMEOUT = 240_000

withPostgres('the control of a target', (server) => {
  const controls = (members: readonly Guest[]) =>
    members.flatMap(({ lines }) => lines.filter((line) => line === 'control')).length

  test(
    'is made once, and when it fails all runs end at once with its reason',
    async () => {
      await withCrew(server().database('once'), async ({ fleet, invite, done }) => {
        await fleet.submit(campaignOf(['a', 'b'], 5))
        const workers = [1, 2, 3].map(() => invite({ control: 'fails', delayMs: 1000 }))
        const end = await done()
        expect(end).toMatchObject({ runs: 10, open: 0, outcomes: { inconclusive: 10 } })
        expect(end.targets).toMatchObject([{ name: 'self', control: { status: 'failed' } }])
        expect(controls(workers)).toBe(1)
        expect(workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('begin')))).toEqual([])
        for (const { reasons } of await fleet.select('c', {})) {
          expect(reasons).toEqual([expect.stringMatching(/^the control failed: .*no model/)])
        }
        // Runs that are added later end for the same reason, and the control is not repeated.
        await fleet.submit(campaignOf(['a', 'b', 'later'], 5))
        expect(await done()).toMatchObject({ runs: 15, outcomes: { inconclusive: 15 } })
        expect(controls(workers)).toBe(1)
      })
    },
    TIMEOUT,
  )

  test(
    'is made by another worker when the first is lost, and given up after three',
    async () => {
      await withCrew(server().database('lost'), async ({ fleet, start, done }) => {
        await fleet.submit(campaignOf(['a'], 2))
        for (let worker = 1; worker <= 3; worker++) await start({ control: 'kills', leaseMs: 600 }).gone
        start({ control: 'kills', leaseMs: 600 })
        expect(await done()).toMatchObject({ outcomes: { inconclusive: 2 } })
        const [first] = await fleet.select('c', {})
        expect(first?.reasons).toEqual([expect.stringContaining('3 workers were lost while they asked the agent')])
      })
    },
    TIMEOUT,
  )

  test(
    'is left to others by a worker that is told to stop in the middle of it',
    async () => {
      await withCrew(server().database('left'), async ({ fleet, start, invite, done, status }) => {
        await fleet.submit(campaignOf(['a'], 2))
        const first = start({ control: 'fails', delayMs: 600_000, leaseMs: 600_000 })
        await first.said(/^control$/)
        expect((await status()).targets).toEqual([{ name: 'self', controlling: true }])
        first.process.kill('SIGTERM')
        await first.gone
        expect((await status()).targets).toEqual([{ name: 'self' }])
        // Nobody waits for the first worker's lease to expire.
        invite({})
        expect(await done()).toMatchObject({ outcomes: { exploited: 2 } })
      })
    },
    TIMEOUT,
  )
})
