/** The mock server and the client libraries of other projects, with the proxy between them. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carried, openRun, send } from './support.ts'

const mock = new LLMock({ port: 0, host: '127.0.0.1' })
beforeAll(async () => {
  await mock.start()
  mock.on({ hasToolResult: false }, { toolCalls: [{ name: 'pay', arguments: '{"amount":5}', id: 'call_1' }] })
})
afterAll(() => mock.stop())

const apiKey = 'k-12345678'
const clients: readonly (readonly [string, (url: string) => LanguageModelV4])[] = [
  ['openai-chat', (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('gpt-4o')],
  ['openai-responses', (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses('gpt-4o')],
  ['anthropic-messages', (url) => createAnthropic({ apiKey, baseURL: `${url}/v1` }).languageModel('claude-sonnet-4-5')],
  ['gemini', (url) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` }).languageModel('gemini-2.5-pro')],
]
const call: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Pay.' }] }],
  tools: [
    { type: 'function', name: 'pay', inputSchema: { type: 'object', properties: { amount: { type: 'number' } } } },
  ],
}

test.each(clients)('%s: the proxy reads what the client library reads', async (wire, client) => {
  const run = await openRun({ upstream: mock.url })
  const { content } = await client(run.url).doGenerate(call)
  const { stream } = await client(run.url).doStream(call)
  for await (const part of stream) expect(part.type).not.toBe('error')
  expect(content).toMatchObject([{ type: 'tool-call', toolName: 'pay', input: '{"amount":5}' }])
  for (const read of run.calls()) {
    expect(read).toMatchObject({ wire, status: 200, finish: { kind: 'complete' }, diagnostics: [] })
    expect(read.answer.calls).toMatchObject([{ name: 'pay', input: { amount: 5 } }])
    expect(read.tools).toMatchObject([{ name: 'pay' }])
  }
  expect(run.calls().map(({ streamed }) => streamed)).toEqual([false, true])
})

test.each(['/v1/chat/completions', '/v1/messages', '/v1/nothing'])(
  '%s: its errors are the same through the proxy',
  async (path) => {
    const run = await openRun({ upstream: mock.url })
    const sent = { headers: ['Content-Type', 'application/json'], body: '{"messages":' }
    const [direct, through] = [await send(`${mock.url}${path}`, sent), await send(`${run.url}${path}`, sent)]
    expect(direct.status).toBeGreaterThanOrEqual(400)
    const timeless = (headers: readonly string[]) =>
      carried(headers).filter((_, index, all) => !/^(?:date|x-request-id)$/i.test(all[index & ~1] ?? ''))
    expect({ ...through, headers: timeless(through.headers) }).toEqual({ ...direct, headers: timeless(direct.headers) })
  },
)
