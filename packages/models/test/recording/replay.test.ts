/** Calls recorded from one proxy and answered by another, without a provider. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createReplay, openRecording, openRunRecording, type RecordingScope, readRecording } from '../../src/index.ts'
import { carried, codes, openRun, send, startProvider, startRawProvider } from '../support.ts'

const chat = '/v1/chat/completions'
const one: RecordingScope = { attack: 'a.oatf.yaml', trial: 1 }
const two: RecordingScope = { attack: 'a.oatf.yaml', trial: 2 }

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'joust-models-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'calls.jsonl')
}
const asks = (text: string) => ({
  headers: ['Authorization', 'Bearer sk-12345678'],
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }),
})

async function record(path: string, scope: RecordingScope, texts: readonly string[], append = false): Promise<void> {
  let count = 0
  const { url } = await startProvider((_request, response, body) => {
    count += 1
    const text = `${scope.trial}.${count}: ${JSON.parse(body).messages[0].content}`
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-request-id': `r${count}`,
    })
    response.end(
      gzipSync(JSON.stringify({ choices: [{ index: 0, message: { content: text }, finish_reason: 'stop' }] })),
    )
  })
  const recording = openRecording(path, { append, scope })
  const run = await openRun({ upstream: url, onExchange: (exchange) => recording.write(exchange) })
  for (const text of texts) await send(`${run.url}${chat}`, asks(text))
  recording.close()
}

const answerText = (body: Buffer) => JSON.parse(body.toString()).choices[0].message.content

test('equal requests get their answers in order', async () => {
  const path = file()
  await record(path, one, ['x', 'y', 'x'])
  expect(readFileSync(path, 'utf8')).not.toContain('sk-12345678')
  expect(statSync(path).mode & 0o077).toBe(0)
  const replay = createReplay(readRecording(path).exchanges)
  const run = await openRun({ answer: replay.answer })
  const answers = await Promise.all(['y', 'x'].map((text) => send(`${run.url}${chat}`, asks(text))))
  expect(answers.map(({ body }) => answerText(body))).toEqual(['1.2: y', '1.1: x'])
  expect(answerText((await send(`${run.url}${chat}`, asks('x'))).body)).toBe('1.3: x')
  expect(carried(answers[0]?.headers ?? [])).toEqual(expect.arrayContaining(['x-request-id', 'r2']))
  expect(replay.missed()).toEqual([])
  expect(run.calls()[0]).toMatchObject({ answer: { text: '1.2: y' }, finish: { kind: 'complete' } })
})

test('an unknown request gets an error that names the nearest one', async () => {
  const path = file()
  await record(path, one, ['The weather in Paris today', 'Something else'])
  const replay = createReplay(readRecording(path).exchanges)
  const run = await openRun({ answer: replay.answer })
  const answer = await send(`${run.url}${chat}`, asks('The weather in Rome today'))
  expect(answer.status).toBe(404)
  expect(JSON.parse(answer.body.toString()).error.message).toMatch(
    /no answer to POST \/v1\/chat\/completions: the nearest recorded request has .*in Paris.* where this one has .*in Rome/,
  )
  expect(replay.missed()).toHaveLength(1)
  expect(codes(run)).toEqual(['replay-unknown'])
  expect(run.calls()[0]?.finish.kind).toBe('error')
  await send(`${run.url}${chat}`, asks('Something else'))
  const again = await send(`${run.url}${chat}`, asks('Something else'))
  expect(again.body.toString()).toContain('the request was recorded only 1 time')
})

test('identifiers, ports and times that each run draws anew do not matter', async () => {
  const path = file()
  const text = (id: string, port: number) =>
    `see ${id} at http://127.0.0.1:${port}/mcp, 2026-01-0${port % 9}T10:00:00Z, again ${id}`
  await record(path, one, [text('0b0e7a54-3f0c-4a8e-9b55-0c6b1f1d2a31', 4001)])
  const run = await openRun({ answer: createReplay(readRecording(path).exchanges).answer })
  const other = text('9c1e7a54-3f0c-4a8e-9b55-0c6b1f1d2a99', 5002)
  const answer = await send(`${run.url}${chat}`, asks(other))
  // An agent that follows the answer must reach the servers of its own run.
  expect(answerText(answer.body)).toBe(`1.1: ${other}`)
})

test('values that change places between the runs are not replaced twice', async () => {
  const path = file()
  const text = (...ports: number[]) => `Wed Nov 18 2026, ${ports.map((port) => `localhost:${port}/${hex}`).join(' ')}`
  const hex = '0123456789abcdef'
  await record(path, one, [text(1, 2)])
  const run = await openRun({ answer: createReplay(readRecording(path).exchanges).answer })
  const other = text(2, 1).replace('Wed Nov 18', 'Thu Nov 19').replaceAll(hex, 'fedcba9876543210')
  expect(answerText((await send(`${run.url}${chat}`, asks(other))).body)).toBe(`1.1: ${other}`)
})

describe('values that a stream divides over its events', () => {
  const events = (list: readonly object[]) => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const textIn: Readonly<Record<'chat' | 'argument' | 'responses' | 'messages' | 'gemini', (text: string) => object>> =
    {
      chat: (content: string) => ({ choices: [{ index: 0, delta: { content } }] }),
      argument: (piece: string) => ({
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } }],
      }),
      responses: (delta: string) => ({ type: 'response.output_text.delta', output_index: 0, delta }),
      messages: (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      gemini: (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }] }),
    }
  const id = '0b0e7a54-3f0c-4a8e-9b55-0c6b1f1d2a31'
  const said = (port: number) => `localhost:${port} {"to":"http://127.0.0.1:${port}/0123456789abcdef/mcp"} ${id} end`

  test.each([
    ['chat', chat, textIn.chat, events],
    ['arguments of a call', chat, textIn.argument, events],
    ['responses', '/v1/responses', textIn.responses, events],
    ['messages', '/v1/messages', textIn.messages, events],
    ['Gemini', '/v1beta/models/m:streamGenerateContent?alt=sse', textIn.gemini, events],
    ['Gemini as a list', '/v1beta/models/m:streamGenerateContent', textIn.gemini, JSON.stringify],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (text: string) => object,
    (list: readonly object[]) => string,
  ])[])('%s', async (_, path, eventOf, write) => {
    const bodyFor = (port: number) => JSON.stringify({ stream: true, input: said(port) })
    const streamOf = (text: string, length: number) =>
      write((text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).map(eventOf))
    for (const length of [1, 5, 21, 200]) {
      const line = { sequence: 1, method: 'POST', path, request: bodyFor(4001), status: 200, end: 'whole' as const }
      const recorded = { ...line, headers: [], answer: streamOf(said(4001), length) }
      const run = await openRun({ answer: createReplay([recorded]).answer })
      const answer = (await send(`${run.url}${path}`, { body: bodyFor(51_234) })).body.toString()
      const data =
        write === events
          ? answer
              .split('\n')
              .filter(Boolean)
              .map((text) => text.slice(6))
          : [answer]
      const strings = data.flatMap((json) => [JSON.parse(json)].flat()).map((event) => wordsOf(event))
      expect(strings.join('')).toBe(said(51_234))
      expect(strings).toHaveLength(Math.ceil(said(4001).length / length))
    }
  })

  /** The only string of an event without spaces in its name. */
  function wordsOf(event: object): string {
    const found = /"(?:content|arguments|delta|text)":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(event))
    return JSON.parse(found?.[1] ?? '""')
  }
})

test('an answer that broke off breaks off again', async () => {
  const path = file()
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: {}\n\r\n'
  const recording = openRecording(path)
  const live = await openRun({
    upstream: await startRawProvider((socket) => socket.end(head)),
    onExchange: (exchange) => recording.write(exchange),
  })
  await send(`${live.url}${chat}`, asks('x'))
  recording.close()
  const run = await openRun({ answer: createReplay(readRecording(path).exchanges).answer })
  const answer = await send(`${run.url}${chat}`, asks('x'))
  expect([answer.status, answer.body.toString(), answer.end]).toEqual([200, 'data: {}\n', 'ECONNRESET'])
  expect(run.calls()[0]).toMatchObject({ finish: { kind: 'cut' }, diagnostics: [] })
})

test('secrets are hidden in the file and still detected', async () => {
  const path = file()
  const redact = (text: string) => text.replaceAll('hunter2', '***')
  const { url } = await startProvider((_request, response, body) => response.end(body))
  const recording = openRecording(path, { redact })
  const live = await openRun({ upstream: url, onExchange: (exchange) => recording.write(exchange) })
  await send(`${live.url}${chat}`, asks('my hunter2'))
  recording.close()
  expect(readFileSync(path, 'utf8')).not.toContain('hunter2')
  const run = await openRun({ answer: createReplay(readRecording(path).exchanges, { redact }).answer })
  expect((await send(`${run.url}${chat}`, asks('my hunter2'))).status).toBe(200)
})

test('files that are not recordings, or are cut', async () => {
  const path = file()
  writeFileSync(path, 'hello')
  expect(() => readRecording(path)).toThrow(expect.objectContaining({ code: 'recording_failed' }))
  expect(() => openRecording(path)).toThrow(/cannot write/)
  expect(() => readRecording(`${path}.missing`)).toThrow(/no recording at/)
  writeFileSync(path, '{"joust_model_calls":2}\n')
  expect(() => readRecording(path)).toThrow(/version 2/)
  rmSync(path)
  await record(path, one, ['x', 'y'])
  appendFileSync(path, readFileSync(path, 'utf8').split('\n')[1]?.slice(0, 40) ?? '')
  expect(() => readRecording(path)).toThrow(/line 4 is truncated or not a recorded call; record again/)
  // Unless a later process has continued it.
  await record(path, one, ['z'], true)
  expect(readRecording(path).exchanges).toHaveLength(3)
})

test('a recording whose headers or status cannot be sent breaks only the call', async () => {
  const path = file()
  await record(path, one, ['x', 'y'])
  const [first, second] = readRecording(path).exchanges
  if (first === undefined || second === undefined) throw new Error('two calls were recorded')
  const lines = [
    { ...first, headers: [['X-A', 'a\nb']] },
    { ...second, status: 99 },
  ]
  const run = await openRun({ answer: createReplay(lines).answer })
  for (const text of ['x', 'y']) expect((await send(`${run.url}${chat}`, asks(text))).end).toBe('ECONNRESET')
  expect(codes(run)).toEqual(['model-failed', 'model-failed'])
})

test('the recording of another attack, version or trial is refused', async () => {
  const path = file()
  openRunRecording(path, 'record', { ...one, fingerprint: 'f1' }).close()
  const replay = (scope: RecordingScope) => openRunRecording(path, 'replay', scope)
  expect(replay({ ...one, fingerprint: 'f1' }).problems()).toEqual([])
  expect(() => replay({ ...two, fingerprint: 'f1' })).toThrow(
    /was recorded for a.oatf.yaml, trial 1, not for a.oatf.yaml, trial 2/,
  )
  expect(() => replay({ ...one, attack: 'b.oatf.yaml', fingerprint: 'f1' })).toThrow(/not for b.oatf.yaml, trial 1/)
  expect(() => replay({ ...one, fingerprint: 'f2' })).toThrow(/another version of a.oatf.yaml; record again/)
  expect(() => openRunRecording(`${path}.other`, 'replay', one)).toThrow(
    expect.objectContaining({ code: 'recording_missing' }),
  )
})

test('requests through the proxy and through fetch are the same: recorded by one, replayed by the other', async () => {
  const path = file()
  const { url, seen } = await startProvider((_request, response, body) => response.end(body))
  const recording = openRunRecording(path, 'record', one)
  const run = await openRun({ ...recording.source({ upstream: url }), onExchange: recording.onExchange })
  await send(`${run.url}${chat}`, asks('x'))
  const asked = (text: string, address: string, secret = 'sk-12345678') => ({
    url: address,
    init: { method: 'POST', body: asks(text).body, headers: { authorization: `Bearer ${secret}` } },
  })
  const live = asked('echo sk-12345678', `${url}/other${chat}?key=sk-12345678`)
  expect(await (await recording.fetch(live.url, live.init)).text()).toBe(live.init.body)
  recording.close()
  expect(recording.problems()).toEqual([])
  expect(readFileSync(path, 'utf8')).not.toContain('sk-12345678')
  const count = seen.length
  const replay = openRunRecording(path, 'replay', one)
  const first = asked('x', `http://replay.invalid${chat}`)
  expect(await (await replay.fetch(first.url, first.init)).text()).toBe(first.init.body)
  const unknown = await replay.fetch(first.url, first.init)
  expect([unknown.status, replay.problems()]).toEqual([404, [expect.stringContaining('recorded only 1 time')]])
  expect(seen).toHaveLength(count)
})

test('a call that the agent left, and one that broke off, end in the same way', async () => {
  const path = file()
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: {}\n\r\n'
  const broken = await startRawProvider((socket) => socket.end(head))
  const silent = await startRawProvider(() => {})
  const recording = openRunRecording(path, 'record', one)
  const ask = (fetcher: typeof fetch, base: string, text: string, signal?: AbortSignal) =>
    fetcher(`${base}${chat}`, { method: 'POST', body: asks(text).body, ...(signal && { signal }) })
  await expect((await ask(recording.fetch, broken, 'x')).text()).rejects.toThrow()
  const leaving = new AbortController()
  const left = ask(recording.fetch, silent, 'y', leaving.signal)
  setImmediate(() => leaving.abort())
  await expect(left).rejects.toThrow()
  recording.close()
  const replay = openRunRecording(path, 'replay', one)
  await expect((await ask(replay.fetch, 'http://replay.invalid', 'x')).text()).rejects.toThrow('terminated')
  const again = new AbortController()
  const waits = ask(replay.fetch, 'http://replay.invalid', 'y', again.signal)
  setImmediate(() => again.abort())
  await expect(waits).rejects.toThrow()
  expect(replay.problems()).toEqual([])
})

test.each([
  ['a header name outside ASCII', { headers: [['ä\u202e', 'application/json']] }],
  ['a header value with a line break', { headers: [['x-id', 'a\nb']] }],
  ['a status that HTTP does not have', { status: 2000 }],
  ['a body beside a status without one', { status: 204 }],
])('a recording with %s is refused', (_case, change) => {
  const path = file()
  const line = { sequence: 1, method: 'POST', path: chat, request: '{}', status: 200, headers: [], answer: '{}' }
  const recorded = JSON.stringify({ ...line, end: 'whole', ...change })
  writeFileSync(path, `${JSON.stringify({ joust_model_calls: 1, ...one })}\n${recorded}\n`)
  expect(() => readRecording(path)).toThrow(/line 2 is truncated/)
})
