/** Model calls in a trace: beside its messages, never among them. */
import { describe, expect, test } from 'vitest'
import { memoryTrace, readTrace } from '../../src/files/trace-file.ts'
import type { ModelEntry } from '../../src/model/model-entry.ts'
import { redactEnding, redactingSink } from '../../src/redaction/redact.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import type { TraceEnding } from '../../src/trace/lines.ts'
import { entry } from '../support/entries.ts'

const call: ModelEntry = {
  ...{ model: 1, at: '2026-01-01T00:00:00.000Z', elapsed_ms: 1, duration_ms: 2, wire: 'openai-chat', name: 'm' },
  messages: [
    { role: 'system', text: 'Be kind.' },
    { role: 'user', text: 'Read the page of hunter2.' },
    { role: 'call', id: 'c', name: 'read', input: { who: 'hunter2' } },
    { role: 'result', id: 'c', text: 'hunter2 was here.' },
  ],
  tools: [{ name: 'read', description: 'Reads for hunter2.', schema: { type: 'object' } }],
  answer: { text: 'hunter2?', calls: [{ id: 'd', name: 'read', input: 'hunter2' }] },
  finish: { kind: 'complete', word: 'stop' },
  usage: { input: 3, output: 4 },
}

async function read(text: string) {
  const calls: ModelEntry[] = []
  const endings: TraceEnding[] = []
  const items = []
  const options = { onModel: (one: ModelEntry) => calls.push(one), onEnding: (one: TraceEnding) => endings.push(one) }
  for await (const item of readTrace({ text }, options)) items.push(item)
  return { items, calls, ending: endings[0] }
}

async function written(secrets: readonly string[], missing: readonly string[] = []) {
  const redactor = createRedactor({ secrets })
  if (!redactor.ok) throw new Error('not a redactor')
  const writer = memoryTrace(100_000)
  const sink = redactingSink(writer, redactor.value)
  sink.write(entry({ seq: 1, content: { text: 'the end of a secret: hun' } }))
  sink.writeModel(call)
  sink.flush()
  const fact = { how: 'part', call: 1, reply: 'none', missing } as const
  const facts = { ended: 'done', model: { calls: 1, missed: 0, read: { 'attack.bait': fact } } }
  await writer.close(redactEnding(facts, redactor.value))
  return writer.text()
}

test('a call and the facts about it survive a round trip, and are no messages', async () => {
  const { items, calls, ending } = await read(await written([], ['One.']))
  expect(items).toHaveLength(1)
  expect(calls).toEqual([call])
  expect(ending).toMatchObject({ entries: 1, model: { calls: 1, missed: 0 } })
  expect(ending?.model?.read['attack.bait']).toEqual({ how: 'part', call: 1, reply: 'none', missing: ['One.'] })
})

test('secrets are hidden everywhere in a call, and messages that waited for more come before it', async () => {
  const text = await written(['hunter2'], ['Ask hunter2.'])
  expect(text).not.toContain('hunter2')
  const { items, calls } = await read(text)
  expect(items.map(({ ok }) => ok)).toEqual([true])
  expect(calls[0]).toMatchObject({ redacted: true, messages: [{ role: 'system', text: 'Be kind.' }, {}, {}, {}] })
  expect(text.indexOf('"seq":1')).toBeLessThan(text.indexOf('"model":1'))
})

describe('a malformed call is reported, and its line is not lost silently', () => {
  const last = JSON.stringify({ joust_trace_end: 1, ended: 'done', entries: 0 })
  test.each([
    { ...call, model: 0 },
    { ...call, finish: { kind: 'fine' } },
    { ...call, messages: [{ role: 'user' }] },
    { ...call, messages: [{ role: 'call', id: 'c', text: 'x' }] },
    { ...call, answer: 'yes' },
    { ...call, tools: null },
    { model: 1 },
  ])('%j', async (line) => {
    const { items, calls } = await read([JSON.stringify({ joust_trace: 1 }), JSON.stringify(line), last].join('\n'))
    expect(calls).toEqual([])
    expect(items).toEqual([{ ok: false, error: expect.objectContaining({ code: 'trace-malformed', line: 2 }) }])
  })

  test('so are malformed facts', async () => {
    const end = JSON.stringify({ joust_trace_end: 1, ended: 'done', entries: 0, model: { calls: 1, read: [] } })
    const { items } = await read([JSON.stringify({ joust_trace: 1 }), end].join('\n'))
    expect(items).toEqual([{ ok: false, error: expect.objectContaining({ code: 'trace-malformed' }) }])
  })
})

test('in a batch, a call is reported after the entries before it', async () => {
  const lines = [{ joust_trace: 1 }, entry({ seq: 1 }), entry({ seq: 2 }), call]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const order: string[] = []
  const onModel = ({ model }: ModelEntry) => order.push(`call ${model}`)
  for await (const items of readTrace({ text }, { onModel }).batches()) {
    for (const item of items) order.push(item.ok ? `entry ${item.value.seq}` : 'malformed')
  }
  expect(order).toEqual(['entry 1', 'entry 2', 'call 1', 'malformed'])
})
