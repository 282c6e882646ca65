/** Real provider libraries against a mock server that speaks their wire formats. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { createRuntime } from '../../src/runtime.ts'
import { object } from '../support/agents.ts'
import { react } from '../support/react.ts'
import { run } from '../support/run.ts'

const references = [
  'openai-chat/gpt-4o',
  'openai/gpt-4o',
  'anthropic/claude-sonnet-4-5',
  'google/gemini-2.5-pro',
  'openai-compatible/any-model',
]
const usage = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  input_tokens: input,
  output_tokens: output,
  promptTokenCount: input,
  candidatesTokenCount: output,
})

const mock = new LLMock({ port: 0, host: '127.0.0.1' })
beforeAll(() => mock.start())
afterAll(() => mock.stop())
beforeEach(() => {
  mock.clearFixtures()
  mock.clearRequests()
})

function environment(url = mock.url): Record<string, string> {
  return {
    OPENAI_API_KEY: 'k1',
    ANTHROPIC_API_KEY: 'k2',
    GEMINI_API_KEY: 'k3',
    OPENAI_BASE_URL: url,
    ANTHROPIC_BASE_URL: url,
    GOOGLE_BASE_URL: url,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  }
}

/** Waits between attempts end at once; timeouts never fire. */
function impatient(waits: number[] = []): RuntimeOptions {
  return {
    env: environment(),
    random: () => 0,
    timeouts: { connectMs: 200_000 },
    clock: {
      now: Date.now,
      setTimer(milliseconds, callback) {
        if (milliseconds > 100_000) return () => {}
        waits.push(milliseconds)
        const timer = setImmediate(callback)
        return () => clearImmediate(timer)
      },
    },
  }
}

const pay = { call: (args: unknown) => ({ paid: args }) as never, inputSchema: object({ amount: { type: 'number' } }) }
const payer = (reference: string) =>
  react(reference, { action_space: { local_tools: [{ alias: 'pay', description: 'Pays.' }] } })

describe.each(references)('%s', (reference) => {
  const stub = () => {
    mock.on(
      { hasToolResult: false },
      { toolCalls: [{ name: 'pay', arguments: '{"amount":5}', id: 'call_1' }], usage: usage(100, 20) },
    )
    mock.on({ hasToolResult: true, toolResultContains: 'paid' }, { content: 'all done', usage: usage(150, 5) })
  }

  it('calls a tool, receives its result, answers, and reports its tokens', async () => {
    stub()
    const { result, error } = await run(payer(reference), 'pay bob', { ...impatient(), tools: { pay } })
    expect(error).toBeUndefined()
    expect(result?.output).toBe('all done')
    expect(result?.usage).toMatchObject({
      inputTokens: 250,
      outputTokens: 25,
      modelCalls: 2,
      toolCalls: 1,
      estimated: false,
    })
  })

  it('streams text on request', async () => {
    stub()
    const conversation = [{ role: 'user', text: 'pay bob' }] as const
    const { result, events } = await run(
      payer(reference),
      'pay bob',
      { ...impatient(), tools: { pay } },
      { conversation },
    )
    expect(result?.output).toBe('all done')
    expect(result?.usage).toMatchObject({ modelCalls: 2, toolCalls: 1 })
    expect(events.flatMap((event) => (event.type === 'model-text' ? [event.delta] : [])).join('')).toBe('all done')
  })

  it('retries after 429 with the delay that the server requests', async () => {
    stub()
    mock.nextRequestError(429, { message: 'slow down' })
    const waits: number[] = []
    const { result, events } = await run(payer(reference), 'pay bob', { ...impatient(waits), tools: { pay } })
    expect(result?.output).toBe('all done')
    expect(result?.usage.modelCalls).toBe(3)
    expect(waits).toContain(1000)
    expect(events.find(({ type }) => type === 'model-failed')).toMatchObject({ attempt: 1, retryInMs: 1000 })
  })

  it('gives up on a server that keeps failing', async () => {
    mock.on({}, { error: { message: 'down' }, status: 500 })
    const { error } = await run(payer(reference), 'pay bob', { ...impatient(), tools: { pay } })
    expect(error).toMatchObject({ code: 'model_failed', details: { attempts: 4, status: 500 } })
    expect(mock.getRequests()).toHaveLength(4)
  })

  it('does not retry a rejected request', async () => {
    mock.on({}, { error: { message: 'no such model' }, status: 404 })
    const { error } = await run(payer(reference), 'pay bob', { ...impatient(), tools: { pay } })
    expect(error).toMatchObject({ code: 'model_failed', details: { attempts: 1, status: 404 } })
  })

  it('is stopped by the signal', async () => {
    const closed: Promise<void>[] = []
    const hanging = createServer((request) => {
      closed.push(new Promise((resolve) => request.socket.once('close', resolve)))
      controller.abort(new Error('enough'))
    })
    const controller = new AbortController()
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const { port } = hanging.address() as AddressInfo
    const runtime = createRuntime({ env: environment(`http://127.0.0.1:${port}`) })
    try {
      const outcome = await runtime.run(react(reference), 'x', { signal: controller.signal })
      expect(outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } })
      // The provider's request is closed, not just abandoned.
      await Promise.all(closed)
      expect(closed).toHaveLength(1)
    } finally {
      await runtime.close()
      hanging.closeAllConnections()
      await new Promise((resolve) => hanging.close(resolve))
    }
  })
})

describe('structured output over the wire', () => {
  it.each(references)('%s', async (reference) => {
    mock.on({}, { content: '{"answer":4}' })
    const agent = react(reference, { output: object({ answer: { type: 'integer' } }) })
    const { result, error } = await run(agent, 'two and two', impatient())
    expect(error).toBeUndefined()
    expect(result?.output).toEqual({ answer: 4 })
  })
})

describe('a missing key', () => {
  it.each([
    ['openai/gpt-4o', 'OPENAI_API_KEY'],
    ['openai-chat/gpt-4o', 'OPENAI_API_KEY'],
    ['anthropic/claude', 'ANTHROPIC_API_KEY'],
    ['google/gemini', 'GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY'],
  ])('%s', async (reference, name) => {
    const { error, events } = await run(react(reference), 'x', { env: {} })
    expect(error).toMatchObject({ code: 'missing_key', message: expect.stringContaining(name) })
    expect(events.some(({ type }) => type === 'model-called')).toBe(false)
  })
})
