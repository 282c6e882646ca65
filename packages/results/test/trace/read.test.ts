import { describe, expect, test } from 'vitest'
import { endLine, traceLine, versionLine } from '../../src/trace/lines.ts'
import { collect, entry } from '../support/entries.ts'
import { readTraceLines } from '../support/trace-lines.ts'

const good = traceLine(entry({ seq: 2 }))
const without = (name: string) => JSON.stringify({ ...entry(), [name]: undefined })
const withValue = (name: string, value: unknown) => JSON.stringify({ ...entry(), [name]: value })

const last = endLine({ ended: 'done', entries: 1 })

async function messagesOf(lines: string[]): Promise<string[]> {
  const items = await collect(readTraceLines([...lines, last]))
  return items.map((item) => (item.ok ? `entry ${item.value.seq}` : item.error.message))
}

describe('a malformed line is reported with its number, and later lines are read', () => {
  test.each([
    ['cut off', good.slice(0, 40), /^line 2: not JSON: .*, at column \d+; the line is truncated$/],
    ['cut off inside a string', good.slice(0, -30), /the line is truncated$/],
    ['garbage', '{"seq": nope}', /^line 2: not JSON: .*, at column 9$/],
    ['no object', '[1]', /^line 2: not a JSON object$/],
    ['a number out of range', good.replace('"content":{}', '"content":1e999'), /^line 2: not JSON/],
    ['a second version line', versionLine(), /several traces/],
    ['seq missing', without('seq'), /^line 2: missing "seq": expected a whole number$/],
    ['seq no number', withValue('seq', '1'), /expected "seq" to be a whole number, got "1"/],
    ['content missing', without('content'), /missing "content"/],
    ['flow', withValue('flow', 'inn'), /^line 2: expected "flow" to be "in" or "out", got "inn"$/],
    ['direction', withValue('direction', 'incoming'), /to be "request" or "response"/],
    ['malformed no text', withValue('malformed', true), /expected "malformed" to be a string, got true/],
    ['session a list', withValue('session', []), /"session" to be a string, got a list/],
    ['surface too long to show', withValue('surface', { a: 1 }), /"surface" to be a string, got a mapping/],
  ])('%s', async (_, line, message) => {
    const messages = await messagesOf([versionLine(), line, good])
    expect(messages).toEqual([expect.stringMatching(message), 'entry 2'])
  })

  test.each(['at', 'elapsed_ms', 'actor', 'mode', 'protocol', 'phase', 'direction', 'flow', 'surface'])(
    '%s must be there',
    async (name) =>
      expect(await messagesOf([versionLine(), without(name)])).toEqual([expect.stringContaining(`missing "${name}"`)]),
  )
})

test('a malformed line is a diagnostic with a position', async () => {
  const [item] = await collect(readTraceLines([versionLine(), '', '{"a" 1}']))
  expect(item).toMatchObject({
    ok: false,
    error: { severity: 'error', code: 'trace-malformed', line: 3, column: 6 },
  })
})

describe('the first line determines the format', () => {
  test.each([
    [
      'a newer version',
      ['{"joust_trace":3}', good],
      'line 1: unsupported trace version 3, expected at most 1; update joust to read it',
    ],
    ['no version', ['{"joust_trace":"1"}', good], 'line 1: expected joust_trace to be a positive integer, got "1"'],
    ['an entry without a version line', [good, good], /^line 1: not a trace: expected /],
    ['another object', ['{"a":1}'], /not a trace/],
    ['not JSON', ['hello', good], /^line 1: not a trace: expected /],
    ['an empty file', [], /^empty trace: expected /],
    ['blank lines', ['', '  '], /^empty trace/],
  ])('%s: one error, and nothing is guessed', async (_, lines, message) => {
    const items = await collect(readTraceLines(lines))
    const messages = items.map((item) => (item.ok ? 'an entry' : item.error.message))
    expect(messages).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  })

  test('a first and a last line alone are a trace without messages', async () => {
    expect(await messagesOf([versionLine({ attack: { name: 'x' } })])).toEqual([])
  })

  test('blank lines, a byte order mark and carriage returns are accepted', async () => {
    expect(await messagesOf(['', `\ufeff${versionLine()}\r`, '\r', `${good}\r`])).toEqual(['entry 2'])
  })

  test('unknown fields are accepted', async () => {
    expect(await messagesOf([versionLine(), withValue('later', 1)])).toEqual(['entry 1'])
  })
})

test('a line over the limit is a diagnostic', async () => {
  const items = await collect(
    readTraceLines([versionLine(), traceLine(entry({ content: 'é'.repeat(300) })), good, last], { lineBytes: 400 }),
  )
  expect(items.map((item) => (item.ok ? item.value.seq : item.error.message))).toEqual([
    'line 2: longer than 400 bytes',
    2,
  ])
})

describe('the last line', () => {
  const lines = (...more: string[]) => collect(readTraceLines([versionLine(), good, ...more]))
  const faults = async (...more: string[]) =>
    (await lines(...more)).map((item) => (item.ok ? 'entry' : item.error.message))

  test('a trace without one is truncated', async () => {
    expect(await faults()).toEqual(['entry', expect.stringContaining('missing last line')])
  })

  test('contains the facts of the run', async () => {
    const facts = {
      actors: [{ name: 'a', mode: 'mcp_client', status: 'stalled', unreached: 1, phases: ['one'] }],
      diagnostics: [{ code: 'target-failed', message: 'it crashed' }],
      refusals: [{ actor: 'a', operation: 'tools/call', message: 'no' }],
      self_play: true,
      played: 'f',
      sent: { 'attack.a': 3 },
      known: {
        proven: 'library',
        allow_unproven: true,
        observed: true,
        channels: { tool_result: 'yes', message: 'declared' },
      },
    } as const
    for (const ending of [
      { ended: 'done', entries: 1 },
      { ended: 'stopped', ...facts, entries: 1 },
    ] as const) {
      const told: unknown[] = []
      const options = { onEnding: (ended: unknown) => void told.push(ended) }
      expect(await collect(readTraceLines([versionLine(), good, endLine(ending)], options))).toHaveLength(1)
      expect(told).toEqual([ending])
    }
  })

  test.each([
    ['{"joust_trace_end":1,"entries":1}', 'expected "ended"'],
    ['{"joust_trace_end":1,"ended":"done","actors":{},"entries":1}', 'expected "ended"'],
    ['{"joust_trace_end":1,"ended":"done"}', 'expected "entries" to be a whole number'],
    ['{"joust_trace_end":1,"ended":"done","entries":"1"}', 'expected "entries" to be a whole number'],
  ])('%s is broken', async (text, fault) => {
    expect(await faults(text)).toEqual(['entry', expect.stringContaining(fault)])
  })

  test('facts of another type are ignored', async () => {
    const strange = {
      actors: [1, { status: 'fine' }],
      diagnostics: [null],
      sent: { a: 'x', b: 2 },
      self_play: 1,
      known: { proven: 'yes', channels: { post: 'yes', state: 1 } },
    }
    const endings: unknown[] = []
    const line = JSON.stringify({ joust_trace_end: 1, ended: 'done', ...strange, entries: 1 })
    const options = { onEnding: (ended: unknown) => void endings.push(ended) }
    await collect(readTraceLines([versionLine(), good, line], options))
    const failed = { name: '', mode: '', status: 'failed', phases: [] }
    expect(endings).toEqual([
      {
        ended: 'done',
        actors: [failed, failed],
        diagnostics: [{ code: 'trace-failed', message: 'a diagnostic without a message ()' }],
        sent: { b: 2 },
        entries: 1,
      },
    ])
  })

  test('nothing may follow it', async () => {
    expect(await faults(last, good)).toEqual(['entry', expect.stringContaining('after the end of the trace')])
  })
})
