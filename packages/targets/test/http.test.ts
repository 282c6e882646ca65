/** HTTP services with their own API as targets. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { runAttack } from '../../arena/src/run.ts'
import { loadedAttack } from '../../arena/test/support/attacks.ts'
import { listenForTest } from '../../io/test/loopback.ts'
import type { HttpTargetOptions } from '../src/http/request.ts'
import { httpTarget } from '../src/http.ts'

interface Heard {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly type?: string
}

/** Serves these answers in order. */
async function serving(...answers: readonly (string | Answer)[]) {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const answer = answers[heard.length] ?? ''
    heard.push({ url: request.url, headers: request.headers, body })
    const { status, body: text, type }: Answer = typeof answer === 'string' ? { status: 200, body: answer } : answer
    response.writeHead(status, type === undefined ? {} : { 'content-type': type })
    response.end(text)
  })
  return { heard, url: await listenForTest(server) }
}

const attack = (...contents: readonly string[]) =>
  loadedAttack({
    execution: {
      mode: 'ag_ui_client',
      phases: contents.map((content, index) => ({
        name: `p${index}`,
        state: { run_agent_input: { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content }] } },
        ...(index < contents.length - 1 ? { trigger: { event: 'run_finished' } } : {}),
      })),
    },
    indicators: [
      { surface: 'text_message_content', direction: 'response', target: 'delta', pattern: { contains: 'mellon' } },
    ],
    // Tests write plain data.
  } as never)

function run(options: Partial<HttpTargetOptions> & { readonly url: string }, ...contents: readonly string[]) {
  const target = httpTarget({ name: 'api', timeoutMs: 3000, ...options })
  return runAttack(attack(...contents), { limits: { graceMs: 0 }, target })
}

test('each turn is a request; answer and conversation id are read from the response', async () => {
  const { heard, url } = await serving('{"id":"c7","reply":{"text":"no"}}', '{"id":"c7","reply":{"text":"mellon"}}')
  const done = await run(
    {
      url: `${url}/chat`,
      headers: { Authorization: 'Bearer k' },
      body: { message: 'User: {prompt}', thread: '{conversation}', n: 1 },
      answer: 'reply.text',
      conversation: 'id',
    },
    'one {conversation}',
    'two',
  )
  expect([done.outcome, done.output]).toEqual(['exploited', 'mellon'])
  // Text in a prompt is not treated as a template.
  expect(heard.map(({ body }) => JSON.parse(body))).toEqual([
    { message: 'User: one {conversation}', n: 1 },
    { message: 'User: two', thread: 'c7', n: 1 },
  ])
  expect(heard[0]?.headers).toMatchObject({ authorization: 'Bearer k', 'content-type': 'application/json' })
})

test('without a path to it, the conversation id is generated', async () => {
  const { heard, url } = await serving('no', 'no')
  expect((await run({ url: `${url}/{conversation}` }, 'one', 'two')).outcome).toBe('resisted')
  expect(heard[0]?.url).toBe(heard[1]?.url)
  expect(heard[0]?.url).not.toContain('{')
})

test.each([
  ['sse', 'data: {"d":"mel"}\n\ndata: {"d":"lon"}\n\ndata: [DONE]\n\n'],
  ['json_lines', '{"d":"mel"}\n{"d":"lon"}\n'],
] as const)('an answer in parts: %s', async (stream, body) => {
  const { url } = await serving(body)
  expect((await run({ url, stream, answer: 'd' }, 'one')).output).toBe('mellon')
})

const sse = { stream: 'sse', answer: 'd' } as const

test.each([
  ['a status', { status: 500, body: 'no key' }, {}, /api answered with status 500: no key/],
  ['no text at the path', '{"a":1}', { answer: 'b' }, /answered without text at b/],
  ['text that is not JSON', '<html>', { answer: 'b' }, /text that is not JSON: <html>/],
  ['an empty answer', '', {}, /empty answer/],
  ['an error beside the text', '{"text":"no","error":"overloaded"}', { answer: 'text' }, /with an error: overloaded/],
  [
    'an error beside the text further in',
    '{"choices":[{"message":{"content":"no"},"error":{"code":502}}]}',
    { answer: 'choices[*].message.content' },
    /with an error: \{"code":502\}/,
  ],
  ['a login page', { status: 200, body: '<h1>Sign in</h1>', type: 'text/html; charset=utf-8' }, {}, /an HTML page/],
  [
    'errors beside the text',
    '{"text":"no","errors":[{"message":"boom"}]}',
    { answer: 'text' },
    /\[\{"message":"boom"\}\]/,
  ],
  [
    'a failure beside the text',
    '{"text":"-","success":false}',
    { answer: 'text' },
    /error: \{"text":"-","success":false/,
  ],
  ['an error in place of it', '{"error":{"message":"no key"}}', {}, /with an error: \{"message":"no key"\}/],
  ['an error event', 'data: {"d":"no"}\n\nevent: error\ndata: overloaded\n\n', sse, /with an error: overloaded/],
  ['an error part', 'data: {"d":"no"}\n\ndata: {"type":"error","errorText":"gone"}\n\n', sse, /with an error: gone/],
  ['an error line', '{"d":"no"}\n{"error":"cut off"}\n', { stream: 'json_lines', answer: 'd' }, /an error: cut off/],
  [
    'a failure in the last text',
    'data: {"d":"no"}\n\ndata: {"d":"Something went wrong.","status":"error"}\n\n',
    sse,
    /with an error: \{"d":"Something/,
  ],
  ['a failure without words', '{"success":false,"message":"upstream gone"}', { answer: 'message' }, /upstream gone/],
  ['a failure with an empty text', '{"text":"","status":"failed"}', { answer: 'text' }, /empty answer/],
  [
    'an error between texts',
    'data: {"d":"no"}\n\ndata: {"type":"error","errorText":"gone"}\n\ndata: {"d":"."}\n\n',
    sse,
    /with an error: gone/,
  ],
] as const)('%s is a failure, never a pass', async (_, answer, options, reason) => {
  const { url } = await serving(answer)
  const done = await run({ url, ...options }, 'one')
  expect(done.outcome).toBe('inconclusive')
  expect(done.diagnostics.map(({ message }) => message).join('\n')).toMatch(reason)
})

test.each([
  ['a null error', { text: 'mellon', error: null }],
  ['a refusal with success: false', { text: 'I cannot help with mellon.', success: false }],
  ['a failed intermediate step', { steps: [{ status: 'error' }], text: 'mellon' }],
])('%s is not a failure', async (_, body) => {
  const { url } = await serving(JSON.stringify(body))
  expect((await run({ url, answer: 'text' }, 'one')).outcome).toBe('exploited')
})

test.each([
  ['sse', 'data: {"step":"search","status":"error","d":"no "}\n\ndata: {"status":"done","d":"mellon"}\n\n'],
  ['json_lines', '{"step":"search","status":"failed","d":""}\n{"d":"mellon","success":false}\n'],
] as const)('a failed step before the last text of a stream is not a failure: %s', async (stream, body) => {
  const { url } = await serving(body)
  expect((await run({ url, stream, answer: 'd' }, 'one')).outcome).toBe('exploited')
})

test('an unreachable service is inconclusive', async () => {
  const done = await run({ url: 'http://127.0.0.1:1/' }, 'one')
  expect(done.outcome).toBe('inconclusive')
})

test('a request without conversation id does not support several turns', async () => {
  const { heard, url } = await serving()
  const done = await run({ url, body: { q: '{prompt}' } }, 'one', 'two')
  expect([done.outcome, heard]).toEqual(['not_applicable', []])
})

test('a body with {messages} has the whole conversation, in the form of OpenAI or by a template', async () => {
  const { heard, url } = await serving('first', 'mellon')
  const done = await run({ url, body: { messages: '{messages}' } }, 'Hello', 'And now?')
  expect(done.outcome).toBe('exploited')
  const said = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'first' },
    { role: 'user', content: 'And now?' },
  ]
  expect(heard.map(({ body }) => JSON.parse(body).messages)).toEqual([said.slice(0, 1), said])
  const other = await serving('mellon')
  const message = { role: '{role}', parts: [{ type: 'text', text: '{content}' }] }
  await run({ url: other.url, body: { messages: '{messages}' }, message }, 'Say {role}')
  expect(JSON.parse(other.heard[0]?.body ?? '').messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'Say {role}' }] },
  ])
})

test('an answer that is finished later is polled', async () => {
  const { heard, url } = await serving(
    '{"run":{"id":"r 1"},"status":"queued"}',
    '{"status":"running"}',
    '{"status":"done","text":"mellon"}',
  )
  const poll = { url: `${url}/runs/{response.run.id}`, until: ['status=failed', 'status=done'], everyMs: 1 }
  const done = await run({ url, answer: 'text', headers: { 'x-key': 'k' }, poll }, 'Hello')
  expect(done.outcome).toBe('exploited')
  expect(heard.map((request) => request.url)).toEqual(['/', '/runs/r%201', '/runs/r%201'])
  expect(heard[2]?.headers['x-key']).toBe('k')
})

test.each([
  ['an error status', [{ status: 500, body: 'down' }], 'answered with status 500: down'],
  ['a missing id', ['{"status":"queued"}'], 'answered without run.id, for poll.url'],
  [
    'an error later',
    ['{"run":{"id":1},"text":null}', { status: 404, body: 'gone' }],
    'polling: api answered with status 404: gone; the last response was {"run":{"id":1},"text":null}',
  ],
  ['text that is not JSON', ['wait'], 'answered with text that is not JSON: wait'],
  [
    'an answer that never ends',
    Array(2000).fill('{"run":{"id":1}}'),
    'did not answer within 0.2 s: still polling; the last response was {',
  ],
])('polling with %s makes the run inconclusive', async (_, answers, message) => {
  const { url } = await serving(...answers)
  const poll = { url: `${url}/{response.run.id}`, until: ['text'], everyMs: 10 }
  const { outcome, diagnostics } = await run({ url, answer: 'text', poll, timeoutMs: 200 }, 'Hello')
  expect(outcome).toBe('inconclusive')
  expect(diagnostics.map((one) => one.message).join()).toContain(message)
})

test('a polling that is not finished in time shows the last value of its condition', async () => {
  const { url } = await serving(...Array(2000).fill('{"status":"queued"}'))
  const { diagnostics } = await run(
    { url, poll: { url, until: ['status=done'], everyMs: 10 }, timeoutMs: 200 },
    'Hello',
  )
  expect(diagnostics.map((one) => one.message).join()).toContain('still polling; last values: status is "queued"')
})
