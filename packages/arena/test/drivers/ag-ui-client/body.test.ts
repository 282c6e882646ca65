import type { Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvent, readTexts } from '../../../src/drivers/ag-ui-client/body.ts'

const limit = 200
const one = '{"type":"CUSTOM","name":"a"}'
const two = '{"type":"CUSTOM","name":"b"}'

/** A body in chunks of that many bytes. */
async function* pieces(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(type: string | undefined, text: string, size = 7) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  const events = []
  for await (const item of readTexts({ status: 200, headers, body: pieces(text, size) }, limit)) {
    const event = readEvent(item, limit)
    events.push(event.kind === 'event' ? event.event.name : event.reason)
  }
  return events
}

it.each([
  ['application/json', '{"type":"CUSTOM","na'],
  ['application/x-ndjson', `${one}\n{"type":"CUSTOM","na`],
  ['text/event-stream', `data: ${one}\n\ndata: {"type":"CUSTOM","na`],
])('what came before %s broke off is kept', async (type, text) => {
  async function* broken() {
    yield* pieces(text, 7)
    throw new Error('cut')
  }
  const texts: string[] = []
  const reading = (async () => {
    const answer = { status: 200, headers: { 'content-type': type }, body: broken() }
    for await (const item of readTexts(answer, limit)) texts.push(item.text)
  })()
  await expect(reading).rejects.toThrow('cut')
  expect(texts.at(-1)).toBe('{"type":"CUSTOM","na')
})

describe('a body', () => {
  it.each<[string, string | undefined, string, Value[]]>([
    [
      'an event stream',
      'text/event-stream; charset=utf-8',
      `: hi\n\ndata: ${one}\n\nid: 5\n\nevent: x\ndata: ${two}\n\n`,
      ['a', 'b'],
    ],
    ['an event stream with CRLF', 'text/event-stream', `data: ${one}\r\n\r\ndata:${two}\r\n\r\n`, ['a', 'b']],
    ['an event over several lines', 'text/event-stream', 'data: {"type":"CUSTOM",\ndata: "name":"a"}\n\n', ['a']],
    ['an event stream without its type', undefined, `data: ${one}\n\n`, ['a']],
    ['a last event without its empty line', 'text/event-stream', `data: ${one}\n\ndata: ${two}`, ['a', 'b']],
    [
      'a last event that is cut',
      'text/event-stream',
      `data: ${one}\n\ndata: {"type"`,
      ['a', 'the stream ended within an event'],
    ],
    ['JSON', 'application/json', one, ['a']],
    ['JSON over several lines', 'application/json', one.replaceAll(',', ',\n'), ['a']],
    ['a list in JSON', 'application/json; charset=utf-8', `[${one},\n${two}]`, ['a', 'b']],
    ['an empty list', 'application/json', '[]', []],
    ['one JSON per line', 'application/x-ndjson', `${one}\n\n${two}\r\n`, ['a', 'b']],
    ['one JSON per line, without the last break', 'application/jsonl', `${one}\n${two}`, ['a', 'b']],
    ['one JSON per line under another name', 'application/json', `${one}\n${two}\n`, ['a', 'b']],
    ['nothing', 'text/event-stream', '', []],
    ['nothing in JSON', 'application/json', '', []],
  ])('of %s', async (_, type, text, wanted) => {
    for (const size of [1, 7, 1000]) expect(await read(type, text, size)).toEqual(wanted)
  })

  it.each([
    ['no JSON', 'text/event-stream', 'data: hello\n\n', 'not JSON'],
    ['no object', 'text/event-stream', 'data: [1]\n\n', 'expected an object'],
    ['no type', 'text/event-stream', 'data: {"type":5}\n\n', 'missing type'],
    ['an empty type', 'text/event-stream', 'data: {"type":""}\n\n', 'missing type'],
    ['a page', 'text/html', '<html>\n<body>\n\n', 'not a server-sent event'],
    ['an error in JSON', 'application/json', '{"error":"no"}', 'missing type'],
    ['broken JSON', 'application/json', '{"type":\n"x"', 'not JSON'],
    ['too long an event', 'text/event-stream', `data: "${'x'.repeat(limit)}"\n\n`, 'larger than 200 bytes'],
    ['too long a document', 'application/json', `"${'x'.repeat(limit)}"`, 'more than 200 bytes'],
    ['too long a line', 'application/x-ndjson', `${'x'.repeat(limit + 1)}\n`, 'longer than 200 bytes'],
  ])('with %s says so', async (_, type, text, reason) => {
    expect(await read(type, text)).toEqual([expect.stringContaining(reason)])
  })

  it('nested too deeply is an error that names the limit', () => {
    const text = `{"type":"CUSTOM","value":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect(readEvent({ text }, 100_000)).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('deep') })
  })

  it('of any kind can be read', async () => {
    const types = fc.constantFrom('text/event-stream', 'application/json', 'application/x-ndjson', 'x')
    const parts = fc.constantFrom(
      'data:',
      '\n',
      '\n\n',
      '\r',
      one,
      '{',
      '"',
      ',',
      ']',
      '[',
      'id: 1',
      ':',
      '\0',
      'é',
      '\uFEFF',
    )
    await fc.assert(
      fc.asyncProperty(types, fc.array(parts), fc.integer({ min: 1, max: 9 }), async (type, text, size) => {
        expect(await read(type, text.join(''), size)).toBeInstanceOf(Array)
      }),
    )
  })
})
