/** The contract of all ledgers and queues. */
import { describe, expect, test } from 'vitest'
import type { Ledger, Queue, RunKey } from '../src/index.ts'
import { lostTrial } from '../src/results.ts'

const runs = (campaign: string, trials = 3): RunKey[] =>
  ['a', 'b'].flatMap((file) =>
    Array.from({ length: trials }, (_, index) => ({
      campaign,
      target: 'model x',
      file,
      arm: 'attack',
      trial: index + 1,
      fingerprint: `f-${file}`,
    })),
  )

const keys = (runs: readonly RunKey[]) => runs.map(({ file, trial }) => `${file} ${trial}`).sort()

/** `open` returns a new ledger for the named campaign. */
export function describeLedger(open: (campaign: string) => Promise<Ledger>): void {
  describe('a ledger', () => {
    test('adds each run once', async () => {
      const ledger = await open('once')
      expect(keys(await ledger.submit(runs('once', 2)))).toEqual(['a 1', 'a 2', 'b 1', 'b 2'])
      await ledger.submit(runs('once', 2))
      expect(keys(await ledger.submit(runs('once', 3)))).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3'])
      expect((await ledger.progress()).runs).toBe(6)
    })

    test('a different fingerprint, target, trial or arm is a different run', async () => {
      const ledger = await open('keys')
      const [run] = runs('keys', 1)
      if (run === undefined) throw new Error('no run')
      const unlike = [
        { ...run, fingerprint: 'other' },
        { ...run, target: 'other' },
        { ...run, trial: 9 },
        { ...run, arm: 'placebo' as const },
      ]
      expect(await ledger.submit([run, ...unlike])).toHaveLength(5)
      await ledger.finish(run, lostTrial(1, 'lost'))
      expect((await ledger.progress()).open).toBe(4)
    })

    test('records the first result and ignores later ones', async () => {
      const ledger = await open('late')
      const [run] = await ledger.submit(runs('late', 1))
      if (run === undefined) throw new Error('no run')
      expect(await ledger.finish(run, lostTrial(1, 'first'))).toBe('recorded')
      expect(await ledger.finish(run, lostTrial(1, 'second'))).toBe('late')
      const entries = []
      for await (const entry of ledger.results()) entries.push(entry)
      expect(entries.map(({ run: { file }, trial }) => [file, trial.reasons])).toEqual([['a', ['first']]])
      expect(await ledger.progress()).toMatchObject({ runs: 2, open: 1, late: 1, outcomes: { inconclusive: 1 } })
      expect(keys(await ledger.submit(runs('late', 1)))).toEqual(['b 1'])
    })

    test('ignores the result of an unknown run', async () => {
      const ledger = await open('unknown')
      const [run] = runs('unknown', 1)
      if (run === undefined) throw new Error('no run')
      expect(await ledger.finish(run, lostTrial(1, 'lost'))).toBe('late')
      expect((await ledger.progress()).runs).toBe(0)
    })
  })
}

/** `open` returns a queue from which the runs submitted to `ledger` can be taken. */
export function describeQueue(
  open: (campaign: string) => Promise<{ readonly queue: Queue; readonly ledger: Ledger }>,
): void {
  const idle = new AbortController().signal

  describe('a queue', () => {
    test('assigns every run once', async () => {
      const { queue, ledger } = await open('all')
      const open1 = await ledger.submit(runs('all'))
      await queue.add(open1)
      await queue.add(open1)
      const perform = async (run: RunKey, tries: number) => {
        await ledger.finish(run, lostTrial(run.trial, 'done'))
        return { ...run, tries }
      }
      const taken = []
      for await (const done of queue.take(perform, { room: 2, signal: idle, drain: true })) taken.push(done)
      expect(keys(taken)).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3'])
      expect(taken.every(({ tries }) => tries === 1)).toBe(true)
    })

    test('does not exceed the number of concurrent runs', async () => {
      const { queue, ledger } = await open('room')
      await queue.add(await ledger.submit(runs('room')))
      let now = 0
      let most = 0
      const perform = async (run: RunKey) => {
        now += 1
        most = Math.max(most, now)
        await new Promise((resolve) => setTimeout(resolve, 30))
        now -= 1
        await ledger.finish(run, lostTrial(run.trial, 'done'))
      }
      for await (const _ of queue.take(perform, { room: 2, signal: idle, drain: true }));
      expect(most).toBe(2)
    })

    test('assigns no more runs after an abort and waits for active ones', async () => {
      const { queue, ledger } = await open('stop')
      await queue.add(await ledger.submit(runs('stop')))
      const stop = new AbortController()
      let ended = 0
      const perform = async (run: RunKey) => {
        stop.abort()
        await new Promise((resolve) => setTimeout(resolve, 30))
        await ledger.finish(run, lostTrial(run.trial, 'done'))
        ended += 1
      }
      for await (const _ of queue.take(perform, { room: 1, signal: stop.signal }));
      expect(ended).toBe(1)
      expect((await ledger.progress()).open).toBe(5)
    })
  })
}
