import { expect, test } from 'vitest'
import { knownShapes, readTrace, redactEntry, type TraceEntry } from '../../src/index.ts'
import { memoryTrace } from '../../src/trace/memory.ts'

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

test('is read as a file would be', async () => {
  const trace = memoryTrace(10_000)
  trace.write(redactEntry(entry, knownShapes()))
  await trace.close()
  const items = []
  for await (const item of readTrace(
    (async function* () {
      yield trace.text()
    })(),
  ))
    items.push(item)
  expect(items).toHaveLength(1)
  expect(trace.text().trimEnd().split('\n')).toHaveLength(3)
})

test('more than it may hold is a fault', async () => {
  const trace = memoryTrace(20)
  trace.write(redactEntry(entry, knownShapes()))
  expect(trace.fault()?.message).toContain('more than 20 characters')
  await expect(trace.close()).rejects.toThrow('the trace could not be kept')
})
