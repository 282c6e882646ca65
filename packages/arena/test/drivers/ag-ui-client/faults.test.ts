/** What an agent can do to its client: nothing hangs, nothing is lost, nothing throws but the end of the connection. */
import { describe, expect, it } from 'vitest'
import { createAgUiClientDriver } from '../../../src/drivers/ag-ui-client/driver.ts'
import { ArenaError } from '../../../src/model/errors.ts'
import type { HttpReply, HttpSend } from '../../../src/model/http.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { createFakeClock, settle } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'
import { answers, call, finished, input, play, runOf, sendEvents, started, streams } from './support.ts'

const state = { run_agent_input: input }

/** How a promise ended, once it has. */
function outcomeOf(work: Promise<void>): { value?: unknown } {
  const seen: { value?: unknown } = {}
  work.then(
    () => {
      seen.value = 'resolved'
    },
    (thrown: unknown) => {
      seen.value = thrown
    },
  )
  return seen
}

describe('an agent that', () => {
  it('gives no answer is awaited until the timeout', async () => {
    const { perform, clock, codes, requests } = await play(state, () => new Promise(() => {}))
    const outcome = outcomeOf(perform())
    await clock.advance(29_999)
    expect(outcome.value).toBeUndefined()
    await clock.advance(1)
    expect(outcome.value).toMatchObject({ name: 'ArenaError', code: 'timed_out' })
    expect(codes()).toEqual(['reply-missing'])
    expect(clock.pending()).toBe(0)
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it('takes an hour for its stream is read to the end', async () => {
    let reply: HttpReply | undefined
    const { perform, clock, codes, lines } = await play(state, async (_, given) => {
      reply = given
      await sendEvents(given, [started])
    })
    const outcome = outcomeOf(perform())
    await clock.advance(3_600_000)
    expect(outcome.value).toBeUndefined()
    await reply?.end(`data: ${JSON.stringify(finished)}\n\n`)
    await settle()
    expect(outcome.value).toBe('resolved')
    expect(codes()).toEqual([])
    expect(lines().at(-1)).toBe('in response run_finished')
  })

  it('keeps its stream open after the run is disconnected', async () => {
    const { perform, clock, codes, requests } = await play(state, (_, reply) => sendEvents(reply, runOf()))
    const outcome = outcomeOf(perform())
    await clock.advance(30_000)
    expect(outcome.value).toBe('resolved')
    expect(codes()).toEqual(['phase-stalled'])
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it('starts another run in the same stream is awaited again', async () => {
    const { perform, clock, codes } = await play(state, (_, reply) => sendEvents(reply, [...runOf(), started]))
    const outcome = outcomeOf(perform())
    await clock.advance(60_000)
    expect(outcome.value).toBeUndefined()
    expect(codes()).toEqual([])
  })

  it('cuts the stream off loses no earlier events', async () => {
    const { perform, codes, stage, requests } = await play(state, async (_, reply) => {
      await sendEvents(reply, [started, ...call('c', 'pay')])
      await reply.write('data: {"type":"TEXT')
      reply.destroy()
    })
    await perform()
    expect(stage.messages.at(-1)).toMatchObject({
      content: '{"type":"TEXT',
      malformed: expect.any(String),
      surface: '',
    })
    expect(codes()).toEqual(['message-malformed', 'connection-lost', 'action-dropped'])
    expect(requests).toHaveLength(1)
  })

  it('cuts the stream off after its run is not reported', async () => {
    const { perform, codes } = await play(state, async (_, reply) => {
      await sendEvents(reply, runOf())
      reply.destroy()
    })
    await perform()
    expect(codes()).toEqual([])
  })

  it('ends its stream without an end of the run is reported', async () => {
    const { perform, stage } = await play(state, streams([started]))
    await perform()
    expect(stage.reports).toEqual([
      { code: 'connection-lost', message: 'the stream ended before RUN_FINISHED or RUN_ERROR' },
    ])
  })

  it.each([
    [{ code: 'limit_exceeded', message: 'no steps left' }, 'limit_exceeded: no steps left'],
    [{ message: 'no model' }, 'no model'],
    [{ message: 5 }, 'no message'],
    [{ message: 'x'.repeat(1000) }, 'x'.repeat(500)],
  ])('ends its run with an error is reported in its own words: %j', async (said, words) => {
    const { perform, stage } = await play(state, streams([started, { type: 'RUN_ERROR', ...said }]))
    await perform()
    const message = `the agent ended its run with an error: ${words}`
    expect(stage.reports).toEqual([{ code: 'agent-failed', message }])
  })

  it('sends garbage has it recorded, and its events read', async () => {
    const body = `data: {{{\n\ndata: 5\n\ndata: {"no":"type"}\n\nrubbish\n\ndata: ${JSON.stringify(finished)}\n\n`
    const { perform, stage, codes } = await play(state, answers(200, 'text/event-stream', body))
    await perform()
    const malformed = stage.messages.filter((one) => one.malformed !== undefined)
    expect(malformed.map(({ content }) => content)).toEqual([
      '{{{',
      '5',
      '{"no":"type"}',
      expect.stringContaining('rubbish'),
    ])
    expect(malformed[0]).toMatchObject({ direction: 'response', flow: 'in', surface: '' })
    expect(codes()).toEqual(Array.from({ length: 4 }, () => 'message-malformed'))
    expect(stage.events.map(({ surface }) => surface)).toEqual(['run_agent_input', 'run_finished'])
  })

  it.each([500, 422, 302, 401])('answers with HTTP %i fails the actor', async (status) => {
    const { perform, stage, codes } = await play(state, answers(status, 'text/plain', 'go away'))
    await expect(perform()).rejects.toMatchObject({
      name: 'ArenaError',
      code: status === 500 ? 'unavailable' : 'rejected',
      message: `http://127.0.0.1:10001/ answered with HTTP ${status}: go away`,
    })
    expect(stage.messages[1]).toMatchObject({
      direction: 'response',
      flow: 'in',
      surface: 'run_agent_input',
      content: 'go away',
      malformed: expect.stringContaining(`HTTP ${status}`),
    })
    expect(stage.events).toHaveLength(1)
    const isShut = status === 500 || status === 401
    expect(codes()).toEqual([...(isShut ? ['agent-failed'] : []), 'message-malformed'])
    if (isShut) expect(stage.reports[0]?.message).toMatch(new RegExp(`HTTP ${status}: go away$`))
  })

  it('refuses and never ends its answer is not waited for', async () => {
    const { perform, clock } = await play(state, async (_, reply) => reply.head(500))
    const outcome = outcomeOf(perform())
    await clock.advance(30_000)
    expect(outcome.value).toMatchObject({ code: 'unavailable' })
  })

  it('sends 10,000 events has them all reported, in order', async () => {
    const flood = Array.from({ length: 10_000 }, (_, n) => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId: 'm',
      delta: `${n} `,
    }))
    const { perform, contents } = await play(state, streams(runOf(...flood)))
    await perform()
    const whole = flood.map(({ delta }) => delta).join('')
    expect(contents('text_message_content')).toEqual([
      ...flood,
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: whole },
    ])
  })

  it('calls 10,000 tools gets 10,000 results', async () => {
    const flood = Array.from({ length: 10_000 }, (_, n) => call(`c${n}`, 'pay')[0] ?? {})
    const { perform, bodies } = await play(state, streams(runOf(...flood), runOf()))
    await perform()
    expect(bodies[1]?.messages).toHaveLength(10_001)
  })
})

describe('a connection', () => {
  const wire = (send: HttpSend) => {
    const stage = createFakeStage('ag_ui_client', state)
    const clock = createFakeClock()
    const driver = createAgUiClientDriver(contextOf(stage, clock), {
      kind: 'http',
      url: 'http://127.0.0.1:10001/',
      send,
    })
    return {
      stage,
      clock,
      outcome: outcomeOf(Promise.resolve(driver.perform?.(stage.scene(), new AbortController().signal))),
    }
  }

  it('that is refused is retried with growing delays, then given up', async () => {
    let calls = 0
    const { stage, clock, outcome } = wire(() => {
      calls += 1
      return Promise.reject(new ArenaError('connect_failed', 'no listener'))
    })
    const seen: number[] = []
    for (const wait of [199, 1, 399]) {
      await clock.advance(wait)
      seen.push(calls)
    }
    expect(seen).toEqual([1, 2, 2])
    expect(outcome.value).toBeUndefined()
    await clock.advance(1)
    expect(outcome.value).toMatchObject({ code: 'connect_failed', message: 'no listener' })
    expect(calls).toBe(3)
    // Counted once, however often it was tried; what never arrived is not in the trace.
    expect(stage.messages).toEqual([])
    expect(stage.events).toHaveLength(1)
  })

  it('that succeeds on a retry is used', async () => {
    const network = createMemoryHttp()
    const { clock, outcome, stage } = wire(network.send)
    await clock.advance(100)
    await network.listen(streams(runOf()))
    await clock.advance(100)
    expect(outcome.value).toBe('resolved')
    expect(stage.messages).toHaveLength(3)
  })

  it('that breaks before an answer is not retried, since the agent may have handled the request', async () => {
    let calls = 0
    const { clock, outcome } = wire(() => {
      calls += 1
      return Promise.reject(new ArenaError('connection_lost', 'reset'))
    })
    await clock.advance(10_000)
    expect(outcome.value).toMatchObject({ code: 'connection_lost', message: 'reset' })
    expect(calls).toBe(1)
  })

  it('that fails with an unknown error is lost as well', async () => {
    const { clock, outcome } = wire(() => Promise.reject(new TypeError('odd')))
    await clock.advance(0)
    expect(outcome.value).toMatchObject({
      name: 'ArenaError',
      code: 'connection_lost',
      message: expect.stringContaining('odd'),
    })
  })

  it('of an entry message that fails is reported', async () => {
    const { driver, stage } = await play({}, answers(500, 'text/plain', 'no'))
    const { reply } = await driver.send({ method: 'run_agent_input' }, stage.scene())
    await expect(reply).resolves.toBeUndefined()
    expect(stage.reports.at(-1)).toMatchObject({ code: 'not-delivered', message: expect.stringContaining('HTTP 500') })
  })
})

describe('the end', () => {
  it.each(['close', 'the end of the run'])('by %s ends the stream, and nothing is reported afterwards', async (how) => {
    const over = new AbortController()
    const { driver, perform, requests, stage, clock } = await play(
      state,
      (_, reply) => sendEvents(reply, [started, ...call('c', 'pay')]),
      { signal: over.signal },
    )
    const outcome = outcomeOf(perform())
    await settle()
    const told = stage.messages.length
    expect(told).toBe(5)
    if (how === 'close') await driver.close()
    else over.abort()
    await settle()
    expect(outcome.value).toBe('resolved')
    expect(requests[0]?.signal.aborted).toBe(true)
    await driver.close()
    await perform()
    expect((await driver.send({ method: 'run_agent_input' }, stage.scene())).reply).toBeUndefined()
    expect(stage.messages).toHaveLength(told)
    expect(stage.reports).toEqual([])
    expect(requests).toHaveLength(1)
    expect(clock.pending()).toBe(0)
  })

  it('also comes while an answer is waited for, and between attempts', async () => {
    const waiting = await play(state, () => new Promise(() => {}))
    const first = outcomeOf(waiting.perform())
    await settle()
    await waiting.driver.close()
    await settle()
    expect(first.value).toBe('resolved')
    expect(waiting.clock.pending()).toBe(0)
    expect(waiting.stage.reports).toEqual([])

    const stage = createFakeStage('ag_ui_client', state)
    const clock = createFakeClock()
    const end = { kind: 'http', url: 'http://127.0.0.1:1/', send: createMemoryHttp().send } as const
    const driver = createAgUiClientDriver(contextOf(stage, clock), end)
    const second = outcomeOf(Promise.resolve(driver.perform?.(stage.scene(), new AbortController().signal)))
    await settle()
    expect(clock.pending()).toBe(1)
    await driver.close()
    await settle()
    expect(second.value).toBe('resolved')
    expect(clock.pending()).toBe(0)
  })

  it('is immediate when the run has already ended', async () => {
    const { perform, requests } = await play(state, streams(runOf()), { signal: AbortSignal.abort() })
    await perform()
    expect(requests).toEqual([])
  })
})
