/** Calls recorded from one proxy and answered by another, without a provider. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createReplay, openRecording, type RecordingScope, readRecording } from '../../src/index.ts'
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
  const recording = openRecording(path, { append })
  const run = await openRun({ upstream: url, onExchange: (exchange) => recording.write(scope, exchange) })
  for (const text of texts) await send(`${run.url}${chat}`, asks(text))
  recording.close()
}

const answerText = (body: Buffer) => JSON.parse(body.toString()).choices[0].message.content

test('equal requests get their answers in order, and those of their trial', async () => {
  const path = file()
  await record(path, one, ['x', 'y', 'x'])
  await record(path, two, ['x'], true)
  expect(readFileSync(path, 'utf8')).not.toContain('sk-12345678')
  expect(statSync(path).mode & 0o077).toBe(0)
  const lines = readRecording(path)
  const replay = createReplay(lines, one)
  const run = await openRun({ answer: replay.answer })
  const other = await openRun({ answer: createReplay(lines, two).answer })
  const answers = await Promise.all(['y', 'x'].map((text) => send(`${run.url}${chat}`, asks(text))))
  expect(answers.map(({ body }) => answerText(body))).toEqual(['1.2: y', '1.1: x'])
  expect(answerText((await send(`${run.url}${chat}`, asks('x'))).body)).toBe('1.3: x')
  expect(answerText((await send(`${other.url}${chat}`, asks('x'))).body)).toBe('2.1: x')
  expect(carried(answers[0]?.headers ?? [])).toEqual(expect.arrayContaining(['x-request-id', 'r2']))
  expect(replay.missed()).toEqual([])
  expect(run.calls()[0]).toMatchObject({ answer: { text: '1.2: y' }, finish: { kind: 'complete' } })
})

test('an unknown request gets an error that names the nearest one', async () => {
  const path = file()
  await record(path, one, ['The weather in Paris today', 'Something else'])
  const replay = createReplay(readRecording(path), one)
  const run = await openRun({ answer: replay.answer })
  const answer = await send(`${run.url}${chat}`, asks('The weather in Rome today'))
  expect(answer.status).toBe(409)
  expect(JSON.parse(answer.body.toString()).error.message).toMatch(
    /no answer to POST \/v1\/chat\/completions: the nearest recorded request has .*in Paris.* where this one has .*in Rome/,
  )
  expect(replay.missed()).toHaveLength(1)
  expect(codes(run)).toEqual(['replay-unknown'])
  expect(run.calls()[0]?.finish.kind).toBe('error')
  await send(`${run.url}${chat}`, asks('Something else'))
  const again = await send(`${run.url}${chat}`, asks('Something else'))
  expect(again.body.toString()).toContain('it was recorded only 1 time')
})

test('identifiers, ports and times that each run draws anew do not matter', async () => {
  const path = file()
  const text = (id: string, port: number) =>
    `see ${id} at http://127.0.0.1:${port}/mcp, 2026-01-0${port % 9}T10:00:00Z, again ${id}`
  await record(path, one, [text('0b0e7a54-3f0c-4a8e-9b55-0c6b1f1d2a31', 4001)])
  const run = await openRun({ answer: createReplay(readRecording(path), one).answer })
  const answer = await send(`${run.url}${chat}`, asks(text('9c1e7a54-3f0c-4a8e-9b55-0c6b1f1d2a99', 5002)))
  expect(answer.status).toBe(200)
})

test('an answer that broke off breaks off again', async () => {
  const path = file()
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: {}\n\r\n'
  const recording = openRecording(path)
  const live = await openRun({
    upstream: await startRawProvider((socket) => socket.end(head)),
    onExchange: (exchange) => recording.write(one, exchange),
  })
  await send(`${live.url}${chat}`, asks('x'))
  recording.close()
  const run = await openRun({ answer: createReplay(readRecording(path), one).answer })
  const answer = await send(`${run.url}${chat}`, asks('x'))
  expect([answer.status, answer.body.toString(), answer.end]).toEqual([200, 'data: {}\n', 'ECONNRESET'])
  expect(run.calls()[0]).toMatchObject({ finish: { kind: 'cut' }, diagnostics: [] })
})

test('what must be hidden is hidden in the file, and found all the same', async () => {
  const path = file()
  const redact = (text: string) => text.replaceAll('hunter2', '***')
  const { url } = await startProvider((_request, response, body) => response.end(body))
  const recording = openRecording(path, { redact })
  const live = await openRun({ upstream: url, onExchange: (exchange) => recording.write(one, exchange) })
  await send(`${live.url}${chat}`, asks('my hunter2'))
  recording.close()
  expect(readFileSync(path, 'utf8')).not.toContain('hunter2')
  const run = await openRun({ answer: createReplay(readRecording(path), one, { redact }).answer })
  expect((await send(`${run.url}${chat}`, asks('my hunter2'))).status).toBe(200)
})

test('files that are not recordings, or are cut', async () => {
  const path = file()
  writeFileSync(path, 'hello')
  expect(() => readRecording(path)).toThrow(expect.objectContaining({ code: 'recording_failed' }))
  expect(() => openRecording(path)).toThrow(/cannot write/)
  expect(() => readRecording(`${path}.missing`)).toThrow(/cannot read/)
  writeFileSync(path, '{"joust_model_calls":2}\n')
  expect(() => readRecording(path)).toThrow(/version 2/)
  rmSync(path)
  await record(path, one, ['x', 'y'])
  appendFileSync(path, readFileSync(path, 'utf8').split('\n')[1]?.slice(0, 40) ?? '')
  expect(readRecording(path)).toHaveLength(2)
})

test('a recording whose headers or status cannot be sent breaks only the call', async () => {
  const path = file()
  await record(path, one, ['x', 'y'])
  const [first, second] = readRecording(path)
  if (first === undefined || second === undefined) throw new Error('two calls were recorded')
  const lines = [
    { ...first, headers: [['X-A', 'a\nb']] },
    { ...second, status: 99 },
  ]
  const run = await openRun({ answer: createReplay(lines, one).answer })
  for (const text of ['x', 'y']) expect((await send(`${run.url}${chat}`, asks(text))).end).toBe('ECONNRESET')
  expect(codes(run)).toEqual(['model-failed', 'model-failed'])
})
