import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { memoryTrace, readTrace, TraceError, writeTrace } from '../../src/files/trace-file.ts'
import { knownShapes, redactEntry, type TraceEntry } from '../../src/index.ts'
import { traceLine } from '../../src/trace/lines.ts'
import { collect, entry } from '../support/entries.ts'
import { redacted } from '../support/redacted.ts'

const folder = mkdtempSync(join(tmpdir(), 'joust-trace-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a trace file survives a round trip', async () => {
  const path = join(folder, 'a.jsonl')
  const writer = writeTrace(path, { started_at: '2026-01-01T00:00:00Z', attack: { id: 'X-1' } })
  const entries = Array.from({ length: 5000 }, (_, index) =>
    entry({ seq: index + 1, content: { text: 'é'.repeat(100) } }),
  )
  for (const each of entries) writer.write(redacted(each))
  // On disk before anything is closed: a killed process loses nothing.
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(5002)
  expect(writer.fault()).toBeUndefined()
  await writer.close()
  await writer.close()
  expect(readFileSync(path, 'utf8').split('\n', 1)).toEqual([
    '{"joust_trace":1,"started_at":"2026-01-01T00:00:00Z","attack":{"id":"X-1"}}',
  ])
  expect(await collect(readTrace(path))).toEqual(entries.map((value) => ({ ok: true, value })))
})

test('a truncated last line is a diagnostic, and earlier lines are read', async () => {
  const path = join(folder, 'cut.jsonl')
  const writer = writeTrace(path)
  writer.write(redacted(entry({ seq: 1 })))
  writer.write(redacted(entry({ seq: 2 })))
  await writer.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, -20))
  expect(await collect(readTrace(path))).toMatchObject([
    { ok: true, value: { seq: 1 } },
    { ok: true, value: { seq: 2 } },
    { ok: false, error: { line: 4, message: expect.stringContaining('truncated') } },
    { ok: false, error: { message: expect.stringContaining('missing last line') } },
  ])
  // Only the line break is missing, so nothing is lost.
  writeFileSync(path, bytes.subarray(0, -1))
  expect((await collect(readTrace(path))).map((item) => item.ok)).toEqual([true, true])
})

test('a file that cannot be opened is an error at once and on close', async () => {
  const writer = writeTrace(join(folder, 'missing', 'a.jsonl'))
  expect(writer.fault()).toBeInstanceOf(TraceError)
  writer.write(redacted(entry()))
  await expect(writer.close()).rejects.toMatchObject({
    code: 'trace_failed',
    message: expect.stringContaining('ENOENT'),
  })
  await expect(writer.close()).rejects.toMatchObject({ code: 'trace_failed' })
})

test.skipIf(process.platform !== 'linux')('a full disk is an error that names the first missing entry', async () => {
  const writer = writeTrace('/dev/full')
  writer.write(redacted(entry({ seq: 9 })))
  expect(writer.fault()?.message).toContain('ENOSPC')
  await expect(writer.close()).rejects.toMatchObject({ code: 'trace_failed' })
})

test('an entry after close is an error', async () => {
  const writer = writeTrace(join(folder, 'closed.jsonl'))
  await writer.close()
  writer.write(redacted(entry({ seq: 3 })))
  expect(writer.fault()?.message).toContain('cannot write entry 3')
  await expect(writer.close()).rejects.toMatchObject({ code: 'trace_failed' })
})

test('a source that fails rejects', async () => {
  const missing = join(folder, 'nothing.jsonl')
  await expect(collect(readTrace(missing))).rejects.toMatchObject({
    code: 'trace_failed',
    message: expect.stringContaining(missing),
  })
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"joust_trace":1}\n')
    throw new Error('the pipe is gone')
  }
  await expect(collect(readTrace(broken()))).rejects.toMatchObject({ code: 'trace_failed' })
})

test('- is standard input', async () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    value: Readable.from([
      Buffer.from(`{"joust_trace":1}\n${traceLine(entry())}`),
      Buffer.from('\n{"joust_trace_end":1,"ended":"done","entries":1}'),
    ]),
  })
  try {
    expect(await collect(readTrace('-'))).toEqual([{ ok: true, value: entry() }])
  } finally {
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin)
  }
})

test('batches hold the same items', async () => {
  const lines = [{ joust_trace: 1 }, entry({ seq: 1 }), entry({ seq: 2 }), 'no entry', { joust_trace_end: 1 }]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const bytes = new TextEncoder().encode(text)
  async function* source(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, 100)
    yield bytes.subarray(100)
  }
  const batches: number[] = []
  const items: unknown[] = []
  for await (const batch of readTrace(source()).batches()) {
    const before = items.length
    for (const item of batch) items.push(item)
    batches.push(items.length - before)
  }
  expect(items).toEqual(await collect(readTrace({ text })))
  expect(batches).toEqual([0, 3, 0, 1])
})

test('a reader that stops closes its source', async () => {
  let closed = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from('{"joust_trace":1}\n')
      while (true) yield Buffer.from(`${JSON.stringify(entry())}\n`)
    } finally {
      closed = true
    }
  }
  for await (const item of readTrace(endless())) {
    expect(item.ok).toBe(true)
    break
  }
  expect(closed).toBe(true)
})

describe('a trace in memory', () => {
  const entry: TraceEntry = {
    seq: 1,
    timestamp: '2026-01-01T00:00:00.000Z',
    actor: 'a',
    phase: 'p',
    flow: 'received',
    surface: 'tools/call',
    direction: 'request',
    content: { a: 1 },
  } as never

  test('is read like a file', async () => {
    const trace = memoryTrace(10_000)
    trace.write(redactEntry(entry, knownShapes()))
    await trace.close()
    const items = []
    for await (const item of readTrace({ text: trace.text() })) items.push(item)
    expect(items).toHaveLength(1)
    expect(trace.text().trimEnd().split('\n')).toHaveLength(3)
  })

  test('exceeding its limit is an error', async () => {
    const trace = memoryTrace(20)
    trace.write(redactEntry(entry, knownShapes()))
    expect(trace.fault()?.message).toContain('exceeds 20 characters')
    await expect(trace.close()).rejects.toThrow('cannot store the trace')
  })
})
