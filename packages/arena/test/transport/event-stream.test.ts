import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEventStream, type StreamItem, writeEvent } from '../../src/transport/event-stream.ts'

async function* chunksOf(text: string, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

async function read(text: string, maxBytes = 1000, chunkBytes = 1): Promise<StreamItem[]> {
  const items: StreamItem[] = []
  for await (const item of readEventStream(chunksOf(text, chunkBytes), maxBytes)) items.push(item)
  return items
}

const broken = 'the stream ended within an event'

describe('reading', () => {
  test.each<[string, StreamItem[]]>([
    ['', []],
    ['data: a\n\n', [{ data: 'a' }]],
    ['data:a\r\n\r\ndata:b\r\rdata:c\n\n', [{ data: 'a' }, { data: 'b' }, { data: 'c' }]],
    ['\uFEFFdata: ä🙂\n\n', [{ data: 'ä🙂' }]],
    ['data: a\ndata:  b\ndata\n\n', [{ data: 'a\n b\n' }]],
    [
      'event: e\nid: 1\nretry: 20\ndata: a\n\ndata: b\n\n',
      [{ data: 'a', event: 'e', id: '1', retry: 20 }, { data: 'b' }],
    ],
    [': comment\n\n:\n\ndata: a\n: within\n\n', [{ data: 'a' }]],
    ['\n\n\ndata: a\n\n\n\n', [{ data: 'a' }]],
    ['id: 1\ndata:\n\n', [{ data: '', id: '1' }]],
    ['retry: 5\n\nid: 7\n\ndata: a\n\ndata: b\n\n', [{ data: 'a', id: '7', retry: 5 }, { data: 'b' }]],
    ['data: a\n\nretry: 5\n\n', [{ data: 'a' }, { data: '', retry: 5 }]],
    ['event: nothing\n\ndata: a\n\n', [{ data: 'a' }]],
    ['extra: x\ndata: a\n\n', [{ data: 'a' }]],
  ])('%j', async (text, items) => {
    expect(await read(text)).toEqual(items)
  })

  test.each<[string, StreamItem[]]>([
    ['data: a\n\ndata: b', [{ data: 'a' }, { data: 'b', fault: broken }]],
    ['data: b\n', [{ data: 'b', fault: broken }]],
    ['event: e\nid: 2\ndata: b\nda', [{ data: 'b', event: 'e', id: '2', fault: broken }]],
    ['da', [{ data: 'da', fault: broken }]],
    ['data: a\n\n: ping', [{ data: 'a' }]],
    [
      '{"error": 1}\n\ndata: a\n\n',
      [{ data: '{"error": 1}\n', fault: 'not a server-sent event: Unknown field "{"error""' }, { data: 'a' }],
    ],
    ['retry: soon\n\n', [{ data: 'retry: soon\n', fault: 'not a server-sent event: Invalid `retry` value: "soon"' }]],
  ])('%j has a fault', async (text, items) => {
    expect(await read(text)).toEqual(items)
  })

  test('an event over the limit is truncated, the next one is complete', async () => {
    const fault = 'event is larger than 12 bytes'
    expect(await read('data: 123456789\ndata: more\n\ndata: a\n\n', 12)).toEqual([
      { data: '123456', fault },
      { data: 'a' },
    ])
    expect(await read('data: 1\ndata: 2\ndata: 3\n\ndata: a\n\n', 19)).toEqual([
      { data: '1\n2', fault: 'event is larger than 19 bytes' },
      { data: 'a' },
    ])
    expect(await read(`: ${'long comment'.repeat(9)}\n\ndata: a\n\n`, 12)).toEqual([
      { data: ': long comme', fault },
      { data: 'a' },
    ])
  })

  test('any number of comments fits under the limit', async () => {
    expect(await read(`${': ping\n'.repeat(1000)}data: a\n\n`, 20, 64)).toEqual([{ data: 'a' }])
  })

  test('an event over the limit is reported before it ends', async () => {
    const body = async function* () {
      yield new TextEncoder().encode(`data: ${'x'.repeat(20)}`)
      await new Promise(() => {})
    }
    const { value } = await readEventStream(body(), 10).next()
    expect(value).toEqual({ data: 'xxxx', fault: 'event is larger than 10 bytes' })
  })

  test('an event that never ends does not grow', async () => {
    const piece = new TextEncoder().encode(`data: ${'x'.repeat(100_000)}\n`)
    const body = async function* () {
      for (let count = 0; count < 1000; count++) yield piece
    }
    const items: StreamItem[] = []
    for await (const item of readEventStream(body(), 50_000)) items.push(item)
    expect(items.map((item) => item.data.length)).toEqual([49_994])
  })

  test('a truncated body: the received events, then the error', async () => {
    const body = async function* () {
      yield new TextEncoder().encode('data: a\n\ndata: ha')
      throw new Error('lost')
    }
    const items: StreamItem[] = []
    const reading = (async () => {
      for await (const item of readEventStream(body(), 100)) items.push(item)
    })()
    await expect(reading).rejects.toThrow('lost')
    expect(items).toEqual([{ data: 'a' }, { data: 'ha', fault: broken }])
  })

  test('a reader that stops closes the body', async () => {
    let left = false
    const body = async function* () {
      try {
        yield new TextEncoder().encode('data: a\n\ndata: b\n\ndata: half')
      } finally {
        left = true
      }
    }
    for await (const _ of readEventStream(body(), 100)) break
    expect(left).toBe(true)
  })

  test('the events do not depend on chunk boundaries', async () => {
    const unit = fc.constantFrom(
      'data:',
      ' ',
      'ü',
      '🙂',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      ':',
      'id: 1',
      'retry: 2',
      '\uFEFF',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit }),
        fc.nat({ max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, limit, size) => {
          expect(await read(text, limit, size)).toEqual(await read(text, limit, 10_000))
        },
      ),
    )
  })
})

describe('writing', () => {
  test('all fields, and data of several lines', () => {
    expect(writeEvent({ data: 'a\nb\r\nc', event: 'e', id: '1', retry: 3 })).toBe(
      'event: e\nid: 1\nretry: 3\ndata: a\ndata: b\ndata: c\n\n',
    )
  })

  test('written events are read back', async () => {
    const item = fc.record(
      {
        data: fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\r\n?/g, '\n')),
        event: fc.stringMatching(/^[a-z/]{1,9}$/),
        id: fc.stringMatching(/^[a-z0-9 -]{1,9}$/),
        retry: fc.nat(),
      },
      { requiredKeys: ['data'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(item), async (items) => {
        expect(await read(items.map(writeEvent).join(''), 10_000, 7)).toEqual(items)
      }),
    )
  })

  test('a name or an id cannot add fields', async () => {
    expect(await read(writeEvent({ data: 'a', event: 'e\ndata: b', id: '1\r\n\r\ndata: c' }))).toEqual([
      { data: 'a', event: 'e data: b', id: '1 data: c' },
    ])
  })
})
