import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { APICallError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { LanguageModel, ModelCall } from '../../src/model/language-model.ts'
import { probeModel } from '../../src/models/probe-model.ts'
import { resolveModel } from '../../src/models/resolve-model.ts'

const failing = (thrown: unknown) =>
  ({ provider: 'p', modelId: 'm', doGenerate: () => Promise.reject(thrown) }) as unknown as LanguageModel

async function refusalOf(...asked: Parameters<typeof probeModel>) {
  const probed = await probeModel(...asked)
  return probed.ok ? undefined : probed.error
}

function status(statusCode: number, responseBody = ''): APICallError {
  return new APICallError({ message: 'no', url: 'http://x', requestBodyValues: {}, statusCode, responseBody })
}

it.each([
  [401, 'no (status 401)'],
  [403, 'no (status 403)'],
  [404, 'no (status 404)'],
  [429, undefined],
  [503, undefined],
])('%i', async (code, refusal) => {
  expect((await refusalOf(failing(status(code))))?.message).toBe(refusal)
})

it('an exhausted quota is not a temporary error', async () => {
  const body = JSON.stringify({ error: { message: 'no', type: 'insufficient_quota', code: 'insufficient_quota' } })
  expect(await refusalOf(failing(status(429, body)))).toEqual({ code: 'no_answer', message: 'no (status 429)' })
})

it.each([
  ['ECONNREFUSED', 'fetch failed'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'fetch failed'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'fetch failed'],
  ['ECONNRESET', undefined],
  ['EAI_AGAIN', undefined],
])('a wrong address is distinguished from a lost connection: %s', async (code, refusal) => {
  const thrown = new TypeError('fetch failed', { cause: Object.assign(new Error('cause'), { code }) })
  expect((await refusalOf(failing(thrown)))?.message).toBe(refusal)
})

describe('a tool call', () => {
  const spoken = { type: 'text', text: 'ok' }
  const called = { type: 'tool-call', toolCallId: '1', toolName: 'acknowledge', input: '{"word":"ok"}' }

  /** A model that answers in turn with these; the calls that it got. */
  function answering(...answers: readonly (object | Error)[]) {
    const calls: ModelCall[] = []
    const doGenerate = async (call: ModelCall) => {
      const answer = answers[calls.push(call) - 1]
      if (answer instanceof Error) throw answer
      return { content: [answer] }
    }
    return { calls, model: { provider: 'p', modelId: 'm', doGenerate } as unknown as LanguageModel }
  }

  it.each<[string, (object | Error)[], string | undefined]>([
    ['made at once', [called], undefined],
    ['made when it must be', [spoken, called], undefined],
    ['never made', [spoken, spoken], 'no_tool_call'],
    ['never made, and a tool cannot be required', [spoken, status(400)], 'no_tool_call'],
    ['answered in words, then busy', [spoken, status(503)], undefined],
    ['refused with the tools', [status(400)], 'no_answer'],
    ['busy', [status(429)], undefined],
  ])('%s', async (_, answers, code) => {
    const { calls, model } = answering(...answers)
    expect((await refusalOf(model, { tool: true }))?.code).toBe(code)
    expect(calls).toHaveLength(answers.length)
    for (const { tools } of calls) expect(tools).toMatchObject([{ type: 'function', name: 'acknowledge' }])
  })

  it('is required only if the model answers with text', async () => {
    const { calls, model } = answering(spoken)
    expect(await refusalOf(model)).toBeUndefined()
    expect(calls[0]).not.toHaveProperty('tools')
  })
})

describe('servers that are not a model', () => {
  const ask = async (url: string) => {
    const model = await resolveModel('openai/m', { OPENAI_API_KEY: 'key-1234', OPENAI_BASE_URL: url })
    return model.ok ? (await refusalOf(model.value))?.message : model.error.message
  }

  it.each([
    ['a page', 200, 'Invalid JSON response (status 200); response: text/html, "<p>hello</p>"'],
    ['a redirect', 302, 'Found (status 302); response: text/html, "<p>hello</p>"'],
  ])('%s', async (_, status, refusal) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<p>hello</p>')
    })
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)),
    )
    expect(await ask(`http://127.0.0.1:${port}/v1`)).toBe(refusal)
    const encrypted = await ask(`https://127.0.0.1:${port}/v1`)
    expect(encrypted).toMatch(/^Cannot connect to API: .*wrong version number/i)
    expect(encrypted).not.toContain('\n')
    server.close()
  })

  it('a server that repeats the key', async () => {
    const server = createServer(({ headers }, response) => {
      const error = { message: `wrong: ${headers.authorization}` }
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    })
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo)),
    )
    expect(await ask(`http://127.0.0.1:${port}/v1`)).toBe('wrong: Bearer [hidden] (status 401)')
    server.close()
  })

  it('a port that fetch blocks', async () => {
    expect(await ask('http://127.0.0.1:9/v1')).toBe('Cannot connect to API: bad port')
  })
})
