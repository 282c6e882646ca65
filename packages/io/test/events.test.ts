import { describe, expect, it } from 'vitest'
import { eventsOf } from '../src/events.ts'

async function gather<T, R>(events: AsyncGenerator<T, R, void>): Promise<readonly [T[], R]> {
  const seen: T[] = []
  for (;;) {
    const next = await events.next()
    if (next.done === true) return [seen, next.value]
    seen.push(next.value)
  }
}

describe('eventsOf', () => {
  it('yields the events in order, and returns the result', async () => {
    const work = async (report: (event: number) => void) => {
      report(1)
      await Promise.resolve()
      report(2)
      return 'done'
    }
    expect(await gather(eventsOf(work))).toEqual([[1, 2], 'done'])
  })

  it('yields the events before an error, then throws it', async () => {
    const seen: number[] = []
    const work = async (report: (event: number) => void) => {
      report(1)
      throw new Error('out of order')
    }
    const read = async () => {
      for await (const event of eventsOf(work)) seen.push(event)
    }
    await expect(read()).rejects.toThrow('out of order')
    expect(seen).toEqual([1])
  })

  it('leaving the loop fires the signal, and waits for the work', async () => {
    let isOver = false
    const work = (report: (event: number) => void, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          isOver = true
          resolve()
        })
        report(1)
      })
    for await (const _ of eventsOf(work)) break
    expect(isOver).toBe(true)
  })

  it('an outer signal reaches the work', async () => {
    const outer = AbortSignal.abort('gone')
    const work = async (_: (event: never) => void, signal: AbortSignal) => signal.reason
    expect(await gather(eventsOf(work, outer))).toEqual([[], 'gone'])
  })
})
