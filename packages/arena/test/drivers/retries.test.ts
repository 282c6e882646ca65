import { expect, it } from 'vitest'
import { withRetries } from '../../src/drivers/retries.ts'
import { ArenaError } from '../../src/model/errors.ts'
import type { HttpAnswer } from '../../src/model/http.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const limits = { replyMs: 1000, messageBytes: 1000, retries: 2 }
const answer: HttpAnswer = { status: 200, headers: {}, body: (async function* () {})() }

/** Fails once per error; returns how it went and when it was tried. */
async function play(errors: Error[], advance = 10_000, stop = new AbortController()) {
  const clock = createFakeClock()
  const begin = clock.now()
  const tried: number[] = []
  const outcome = withRetries({ clock, limits, report: () => {} }, stop.signal, async () => {
    tried.push(clock.now() - begin)
    const error = errors.shift()
    if (error !== undefined) throw error
    return answer
  }).catch((thrown: unknown) => thrown)
  await clock.advance(advance)
  return { tried, outcome: await outcome, pending: clock.pending() }
}

const refused = () => new ArenaError('connect_failed', 'refused')

it('waits twice as long each time', async () => {
  expect(await play([refused(), refused()])).toEqual({ tried: [0, 200, 600], outcome: answer, pending: 0 })
})

it('gives up after so many attempts', async () => {
  const { tried, outcome } = await play([refused(), refused(), refused()])
  expect(tried).toHaveLength(3)
  expect(outcome).toMatchObject({ code: 'connect_failed' })
})

it.each([new ArenaError('connection_lost', 'cut'), new TypeError('odd')])(
  'does not repeat what may have arrived: %s',
  async (error) => {
    const { tried, outcome } = await play([error])
    expect(tried).toEqual([0])
    expect(outcome).toMatchObject({ name: 'ArenaError', code: 'connection_lost' })
  },
)

it('stops with the run', async () => {
  const stop = new AbortController()
  stop.abort()
  expect((await play([refused()], 0, stop)).tried).toEqual([0])
})

/** Answers with these statuses and headers, one after the other. */
async function busy(...answers: readonly (readonly [status: number, retryAfter?: string])[]) {
  const clock = createFakeClock()
  const begin = clock.now()
  const tried: number[] = []
  const told: string[] = []
  const report = (code: string, message: string) => void told.push(`${code}: ${message}`)
  const outcome = withRetries({ clock, limits, report }, new AbortController().signal, async () => {
    const [status, after] = answers[Math.min(tried.length, answers.length - 1)] ?? [200]
    tried.push(clock.now() - begin)
    const body = (async function* () {})()
    return { status, headers: after === undefined ? {} : { 'retry-after': after }, body }
  })
  await clock.advance(10_000)
  return { tried, told, status: (await outcome).status }
}

it('retries when the agent is busy, and reports it', async () => {
  const told = ['agent-busy: the agent was busy (HTTP 429); the request was retried']
  expect(await busy([429], [200])).toEqual({ tried: [0, 200], told, status: 200 })
  expect((await busy([503], [429], [200])).tried).toEqual([0, 200, 600])
})

it('waits as long as Retry-After says, in seconds or until a date', async () => {
  const limited = await busy([429, '0'], [200])
  expect(limited.tried).toEqual([0, 200])
  const date = new Date(createFakeClock().now() + 1000).toUTCString()
  // HTTP dates have whole seconds only.
  expect((await busy([503, date], [200])).status).toBe(503)
  expect((await busy([503, 'soon'], [200])).tried).toEqual([0, 200])
})

it('returns the last answer after the reply timeout', async () => {
  expect((await busy([503])).tried).toEqual([0, 200, 600])
  expect(await busy([429, '999999999'])).toMatchObject({ tried: [0], told: [], status: 429 })
})
