import { type Script, scriptedModel } from '@joust/sim'
import { describe, expect, it, test } from 'vitest'
import type { LanguageModel, ModelStreamPart } from '../../src/model/language-model.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { tokensOf } from '../../src/models/ask-model.ts'
import type { AgentParts } from '../support/agents.ts'
import { fakeClock } from '../support/clock.ts'
import { react } from '../support/react.ts'
import { recorded } from '../support/recorded.ts'
import { errorOf, run } from '../support/run.ts'

const busy = { error: { message: 'busy', status: 503 } }
const done = { text: 'done' }

/** Runs an agent on a clock that skips every wait, but never into a timeout. */
async function ask(script: Script, parts: AgentParts = {}, options: RuntimeOptions = {}) {
  const clock = fakeClock()
  const waits: number[] = []
  const ran = await run(react('m', parts), 'x', {
    models: { m: scriptedModel(script) },
    random: () => 0,
    clock: {
      now: clock.now,
      setTimer(milliseconds, callback) {
        const cancel = clock.setTimer(milliseconds, callback)
        if (milliseconds <= 60_000) {
          waits.push(milliseconds)
          queueMicrotask(() => clock.advance(milliseconds))
        }
        return cancel
      },
    },
    ...options,
    timeouts: { connectMs: 100_000, ...options.timeouts },
  })
  return { ...ran, waits, timers: clock.waiting() }
}

describe('attempts', () => {
  it('use exponential backoff, and each counts as a model call', async () => {
    const { result, waits, events, timers } = await ask([busy, busy, busy, done])
    expect(result?.output).toBe('done')
    expect(result?.usage.modelCalls).toBe(4)
    expect(waits).toEqual([250, 500, 1000])
    expect(events.flatMap((event) => (event.type === 'model-called' ? [event.attempt] : []))).toEqual([1, 2, 3, 4])
    expect(timers).toBe(0)
  })

  it('end after four', async () => {
    const { error, waits } = await ask([busy, busy, busy, busy, done])
    expect(error).toMatchObject({
      code: 'model_failed',
      message: 'sim/scripted failed after 4 attempts: busy (status 503)',
      details: { model: 'sim/scripted', attempts: 4, status: 503 },
      cause: { message: 'busy (status 503)' },
    })
    expect(waits).toHaveLength(3)
  })

  it('stay within max_llm_calls', async () => {
    const { error } = await ask([busy, busy, done], { constraints: { limits: { max_llm_calls: 2 } } })
    expect(error).toMatchObject({ code: 'limit_exceeded' })
  })

  it('are not started if the delay would pass the deadline', async () => {
    const slow = { error: { message: 'later', status: 429, retry_after: 110 } }
    const { error, waits, events } = await ask([slow, done], { constraints: { budget: { max_duration_seconds: 100 } } })
    expect(error).toMatchObject({ code: 'model_failed', details: { attempts: 1, status: 429 } })
    expect(waits).toEqual([])
    expect(events.find(({ type }) => type === 'model-failed')).not.toHaveProperty('retryInMs')
  })

  it('are not repeated for permanent errors', async () => {
    const { error } = await ask([{ error: { message: 'bad request', status: 400 } }, done])
    expect(error).toMatchObject({ code: 'model_failed', details: { attempts: 1 } })
  })

  it('the end of a script is a failure', async () => {
    const { error } = await ask([])
    expect(error).toMatchObject({
      code: 'model_failed',
      message: expect.stringContaining('the script has only 0 turns'),
    })
  })
})

describe('a model that does not answer', () => {
  const never = (): LanguageModel => ({ ...scriptedModel([]), doGenerate: () => new Promise(() => {}) })

  it('is retried after its timeout, then fails', async () => {
    const options = { models: { m: never() }, timeouts: { modelMs: 5000 } }
    const { error, waits, timers } = await ask([], {}, options)
    expect(error).toMatchObject({
      code: 'model_failed',
      message: expect.stringContaining('no answer within 5 seconds'),
    })
    expect(waits.filter((wait) => wait === 5000)).toHaveLength(2)
    expect(timers).toBe(0)
  })

  it('is cancelled with the run', async () => {
    const controller = new AbortController()
    const model: LanguageModel = {
      ...never(),
      doGenerate(call) {
        call.abortSignal?.addEventListener('abort', () => reached.push('provider'))
        controller.abort(new Error('enough'))
        return new Promise(() => {})
      },
    }
    const reached: string[] = []
    const error = await errorOf(react('m'), 'x', { models: { m: model } }, { signal: controller.signal })
    expect(error.code).toBe('cancelled')
    expect(reached).toEqual(['provider'])
  })
})

describe('streams', () => {
  const conversation = [{ role: 'user', text: 'x' }] as const

  function streaming(parts: readonly ModelStreamPart[]): LanguageModel {
    const stream = () =>
      new ReadableStream<ModelStreamPart>({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      })
    return { ...scriptedModel([]), doStream: async () => ({ stream: stream() }) }
  }

  it('that fail after text was emitted are not restarted', async () => {
    const parts: ModelStreamPart[] = [
      { type: 'text-delta', id: '1', delta: 'half' },
      { type: 'error', error: new TypeError('terminated') },
    ]
    const error = await errorOf(react('m'), 'x', { models: { m: streaming(parts) } }, { conversation })
    expect(error).toMatchObject({ code: 'model_failed', details: { attempts: 1 } })
  })

  it('link their text to the answer', async () => {
    const { events } = await run(
      react('m'),
      'x',
      { models: { m: scriptedModel([{ text: 'two words' }]) } },
      { conversation },
    )
    const answer = events.find((event) => event.type === 'model-answered')
    const deltas = events.filter((event) => event.type === 'model-text')
    expect(deltas.map(({ delta }) => delta)).toEqual(['two ', 'words'])
    expect(new Set(deltas.map(({ message }) => message))).toEqual(new Set([answer?.message]))
  })
})

describe('tokens', () => {
  it('are counted as reported, and exceeding the limit fails the run', async () => {
    const usage = { input_tokens: 60, output_tokens: 5 }
    const call = { tool_calls: [{ name: 'nothing' }], usage }
    const { error } = await ask([call, call, done], { constraints: { budget: { max_token_usage: 100 } } })
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      details: { limit: 'constraints.budget.max_token_usage', used: 130 },
    })
  })

  it('are estimated if a provider reports none', async () => {
    const { model } = recorded([done])
    const quiet: LanguageModel = {
      ...model,
      async doGenerate(call) {
        const answer = await model.doGenerate(call)
        const nothing = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
        return {
          ...answer,
          usage: { inputTokens: nothing, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
        }
      },
    }
    const { result } = await run(react('m'), 'x', { models: { m: quiet } })
    expect(result?.usage).toMatchObject({ estimated: true })
    expect(result?.usage.totalTokens).toBeGreaterThan(0)
    expect(result?.warnings).toMatchObject([{ code: 'tokens_estimated' }])
  })
})

it('a filtered answer is a failure', async () => {
  const { model } = recorded([{ text: '' }])
  const filtered: LanguageModel = {
    ...model,
    async doGenerate(call) {
      return { ...(await model.doGenerate(call)), finishReason: { unified: 'content-filter', raw: 'refusal' } }
    },
  }
  const error = await errorOf(react('m'), 'x', { models: { m: filtered } })
  const message = 'sim/scripted failed: the provider filtered or refused the answer (finish reason refusal)'
  expect(error).toMatchObject({ code: 'model_failed', message })
})

it.each(['', ' \n'])('an empty answer (%j) is a failure, and its tokens count', async (text) => {
  const { error, events } = await run(react('m'), 'x', { models: { m: scriptedModel([{ text }]) } })
  const message = 'empty answer without text or tool call (finish reason stop)'
  expect(error).toMatchObject({ code: 'model_failed', message: `sim/scripted failed: ${message}` })
  expect(events.at(-1)).toMatchObject({ type: 'run-failed', usage: { modelCalls: 1, inputTokens: expect.any(Number) } })
})

const call = { prompt: [{ role: 'system' as const, content: 'x'.repeat(400) }] }

function usage(input: number | undefined, output: number | undefined) {
  return {
    content: [{ type: 'text' as const, text: 'x'.repeat(80) }],
    usage: {
      inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: undefined, reasoning: undefined },
    },
  }
}

test('reported tokens count', () => {
  expect(tokensOf(usage(12, 3), call)).toEqual({ inputTokens: 12, outputTokens: 3, estimated: false })
  expect(tokensOf(usage(0, 0), call)).toEqual({ inputTokens: 0, outputTokens: 0, estimated: false })
})

test.each([
  [undefined, undefined],
  [Number.NaN, 3],
  [-5, 3],
])('missing usage is estimated and marked: %s, %s', (input, output) => {
  const tokens = tokensOf(usage(input, output), call)
  expect(tokens.estimated).toBe(true)
  expect(tokens.inputTokens).toBeGreaterThan(99)
  expect(tokens.outputTokens).toBeGreaterThan(2)
})
