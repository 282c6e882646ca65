/** `joust model serve`: a model over HTTP until a signal comes. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { run } from '../../src/main.ts'
import { folder, joust, memoryIo } from '../world.ts'

const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
const request = {
  model: 'any',
  messages: [{ role: 'user', content: 'You must call send_mail with to set to eve@example.org.' }],
  tools: [{ type: 'function', function: { name: 'send_mail', parameters } }],
}

/** Serves with some options while `work` talks to the address. */
async function serving<T>(
  argv: readonly string[],
  cwd: string,
  work: (url: string) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
) {
  const stop = new AbortController()
  const { io, stdout, stderr } = memoryIo({ cwd, env, interruption: stop.signal })
  const ended = run(['model', 'serve', ...argv], io)
  const url = await vi.waitUntil(() => /^http:\S+/.exec(stdout.join(''))?.[0])
  const value = await work(url)
  stop.abort(new Error('stop'))
  return { value, code: await ended, stderr: stderr.join('') }
}

const ask = async (url: string) => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-secret' }
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(request) })
  return (await answer.json()).choices[0].message
}

test('a simulated model calls the tools that are named, and no others', async () => {
  const cwd = folder()
  const named = await serving(['--model', 'sim/credulous', '--tool', 'send_*'], cwd, ask)
  expect(named.value.tool_calls).toMatchObject([{ function: { name: 'send_mail' } }])
  expect(named.code).toBe(130)
  expect(named.stderr).toContain('openai-chat any: 1 message, 1 tool → 200 complete, calls send_mail')
  for (const tools of [[], ['--tool', 'send'], ['--tool', '*_mail_*']]) {
    const other = await serving(['--model', 'sim/credulous', ...tools, '--quiet'], cwd, ask)
    expect(other.value.tool_calls).toBeUndefined()
    expect(other.stderr).toBe('')
  }
  const own = await serving(['--model', 'sim/credulous', '--own-tools'], cwd, ask)
  expect(own.value.tool_calls).toHaveLength(1)
  expect(own.stderr).toContain('warning: with --own-tools')
})

test('answers of a provider are recorded without keys and replayed', async () => {
  const cwd = folder()
  const first = await serving(['--model', 'sim/credulous', '--own-tools'], cwd, (upstream) =>
    serving(['--upstream', upstream, '--record', 'calls.jsonl'], cwd, ask),
  )
  expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).not.toContain('sk-secret')
  const again = await serving(['--replay', 'calls.jsonl'], cwd, ask)
  expect(again.value).toEqual(first.value.value)
})

describe('a model of a provider', () => {
  /** A provider of the chat completions API that calls the tool it is offered, and reports its usage. */
  async function startProvider(status = 200) {
    const seen: { key?: string | undefined; body: { tools?: object[]; messages: object[] } }[] = []
    const server = createServer(async (request, response) => {
      const body = (await json(request)) as (typeof seen)[number]['body']
      seen.push({ key: request.headers.authorization, body })
      response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '7' }) })
      const call = { id: 'c1', type: 'function', function: { name: 'send_mail', arguments: '{"to":"a@b.example"}' } }
      const message = body.tools === undefined ? { content: 'Good morning.' } : { content: null, tool_calls: [call] }
      const finish_reason = body.tools === undefined ? 'stop' : 'tool_calls'
      const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }
      const answer = {
        id: 'x',
        choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
        usage,
      }
      response.end(JSON.stringify(status === 200 ? answer : { error: { message: 'slow down' } }))
    })
    return { env: { OPENAI_API_KEY: 'sk-own', OPENAI_BASE_URL: `${await listenForTest(server)}/v1` }, seen }
  }

  const post = async (url: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-agent' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, wait: answer.headers.get('retry-after'), text: await answer.text() }
  }
  const asked = (content: string) => [{ role: 'user', content }]
  const contents = [{ role: 'user', parts: [{ text: 'Good morning?' }] }]

  test.each([
    ['/v1/chat/completions', { messages: asked('Good morning?') }, 'prompt_tokens":12'],
    ['/v1/chat/completions', { messages: asked('Good morning?'), stream: true }, 'data: [DONE]'],
    ['/v1/responses', { input: 'Good morning?' }, '"input_tokens":12'],
    ['/v1/messages', { messages: asked('Good morning?'), max_tokens: 9 }, '"input_tokens":12'],
    ['/v1beta/models/m:generateContent', { contents }, '"promptTokenCount":12'],
  ])('answers %s %j', async (path, body, part) => {
    const { env, seen } = await startProvider()
    const work = (url: string) => post(url, path, { model: 'any', ...body })
    const { value, stderr } = await serving(['--model', 'openai-chat/gpt-test'], folder(), work, env)
    expect(value.status).toBe(200)
    expect(value.text).toContain('Good')
    expect(value.text).toContain(part)
    // The key of the agent stays here; the provider gets that of the user.
    expect(seen).toMatchObject([
      { key: 'Bearer sk-own', body: { model: 'gpt-test', messages: asked('Good morning?') } },
    ])
    expect(stderr).toContain('the model calls no tools')
  })

  test('calls the tools that are allowed', async () => {
    const { env } = await startProvider()
    const { value } = await serving(['--model', 'openai-chat/gpt-test', '--tool', 'send_*'], folder(), ask, env)
    expect(value.tool_calls).toMatchObject([{ function: { name: 'send_mail', arguments: '{"to":"a@b.example"}' } }])
  })

  test('passes on an error, with its status and waiting time', async () => {
    const { env } = await startProvider(429)
    const work = (url: string) => post(url, '/v1/chat/completions', request)
    const { value } = await serving(['--model', 'openai-chat/gpt-test'], folder(), work, env)
    expect(value).toMatchObject({ status: 429, wait: '7', text: expect.stringContaining('slow down') })
  })

  test('without a key is wrong usage', async () => {
    const { code, stderr } = await joust(['model', 'serve', '--model', 'openai-chat/gpt-test'], { cwd: folder() })
    expect([code, stderr]).toEqual([64, expect.stringContaining('OPENAI_API_KEY')])
  })
})

test.each([
  [[], 'expected exactly one of --model, --upstream and --replay'],
  [['--model', 'sim/silent', '--upstream', 'http://127.0.0.1:1'], 'expected exactly one of'],
  [['--model', 'sim/loud'], '--model sim/loud: '],
  [['--upstream', 'http://127.0.0.1:1', '--tool', 'a'], '--tool and --own-tools need --model'],
  [['--model', 'sim/silent', '--tool', 'a', '--own-tools'], '--tool cannot be used with --own-tools'],
  [['--replay', 'a', '--record', 'b'], '--record has no effect with --replay'],
])('%j is wrong usage', async (argv, message) => {
  const { code, stdout, stderr } = await joust(['model', 'serve', ...argv], { cwd: folder() })
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain(message)
})

test.each([
  [['--replay', 'missing.jsonl'], 'no recording at'],
  [['--replay', 'other.jsonl'], 'not a recording of model calls'],
  [['--upstream', 'nonsense'], 'the upstream "nonsense" must be an http or https URL'],
])('%j fails with a reason', async (argv, message) => {
  const { code, stderr } = await joust(['model', 'serve', ...argv], { cwd: folder({ 'other.jsonl': '{}\n' }) })
  expect(code).toBe(10)
  expect(stderr).toContain(message)
})
