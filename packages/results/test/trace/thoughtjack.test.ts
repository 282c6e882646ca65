import type { NormalDocument } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { asLoaded } from '../../../arena/test/support/attacks.ts'
import type { TraceEnding } from '../../src/trace/lines.ts'
import { collect } from '../support/entries.ts'
import { readTraceLines } from '../support/trace-lines.ts'

const phases = [{ name: 'p', state: {} }]
const { document } = asLoaded({
  oatf: '0.1',
  attack: {
    execution: {
      actors: [
        { name: 'server', mode: 'mcp_server', phases },
        { name: 'client', mode: 'mcp_client', phases },
        { name: 'ui', mode: 'ag_ui_client', phases },
        { name: 'caller', mode: 'a2a_client', phases },
        { name: 'callee', mode: 'a2a_server', phases },
      ],
    },
  },
})

const line = (actor: string, direction: string, method: string, content: unknown = {}, seq = 0) =>
  JSON.stringify({ seq, timestamp: '2026-01-01T00:00:00.250123456Z', actor, phase: 'p', direction, method, content })

async function read(lines: string[], given: NormalDocument | undefined = document) {
  return collect(readTraceLines(lines, given === undefined ? {} : { document: given }))
}

test('a line becomes an entry with the mode of the document', async () => {
  const later = line('server', 'outgoing', 'tools/list', { tools: [] }, 1).replace('00.250123456Z', '02Z')
  expect(await read([line('server', 'incoming', 'tools/call', { name: 'x' }), later])).toEqual([
    {
      ok: true,
      value: {
        seq: 0,
        at: '2026-01-01T00:00:00.250123456Z',
        elapsed_ms: 0,
        actor: 'server',
        mode: 'mcp_server',
        protocol: 'mcp',
        phase: 'p',
        direction: 'request',
        flow: 'in',
        surface: 'tools/call',
        content: { name: 'x' },
      },
    },
    { ok: true, value: expect.objectContaining({ seq: 1, elapsed_ms: 1750, flow: 'out', direction: 'response' }) },
  ])
})

describe('the end of a run is inferred from the last messages of clients', () => {
  const run = line('ui', 'outgoing', 'run_agent_input')
  const send = line('caller', 'outgoing', 'message/send')
  const opened = line('caller', 'incoming', 'message/stream', { status: 'connected' })
  const refused = (content: unknown) => line('caller', 'incoming', 'unknown', content)
  const error = { code: -32603, message: 'Internal error' }
  const unfinished = (actor: string) => `the trace ends before the agent answered ${actor}`
  const failed = (actor: string) => `the agent reported a failure to ${actor}`
  const task = (state: string) => line('caller', 'incoming', 'task/created', { status: { state } })
  test.each([
    ['a run that is over', [run, line('ui', 'incoming', 'run_finished')], []],
    ['a run that broke off', [run, line('ui', 'incoming', 'run_started')], [unfinished('ui')]],
    ['a run that failed', [run, line('ui', 'incoming', 'run_error')], [failed('ui')]],
    ['a task that is done', [send, task('working'), task('completed')], []],
    ['a task under way', [send, task('working')], [unfinished('caller')]],
    ['a task that failed', [send, task('failed')], [failed('caller')]],
    ['a task that was rejected', [send, task('rejected')], []],
    ['a task that waits for the user', [send, task('input-required')], []],
    ['a task that was canceled', [send, task('canceled')], [failed('caller')]],
    ['a message', [send, line('caller', 'incoming', 'message/response', { kind: 'message', parts: [] })], []],
    ['an error', [send, refused({ jsonrpc: '2.0', id: 1, error })], [failed('caller')]],
    ['an error alone', [send, refused(error)], [failed('caller')]],
    ['a stream that has opened', [send, opened], [unfinished('caller')]],
    [
      'a stream that broke off after an artifact',
      [send, opened, task('working'), line('caller', 'incoming', 'task/artifact', { artifact: { parts: [] } })],
      [unfinished('caller')],
    ],
    ['a card', [line('caller', 'outgoing', 'agent_card/get'), line('caller', 'incoming', 'agent_card/get')], []],
    ['a server without an answer', [line('server', 'outgoing', 'tools/call')], []],
  ])('%s', async (_, lines, reasons) => {
    const endings: TraceEnding[] = []
    await collect(readTraceLines(lines, { document, onEnding: (ending) => void endings.push(ending) }))
    expect(endings).toMatchObject([{ ended: 'done', foreign: true }])
    expect(endings[0]?.diagnostics?.map(({ message }) => message) ?? []).toEqual(reasons)
  })
})

const envelope = { jsonrpc: '2.0', id: 1 }
describe('direction, operation and content follow the bindings', () => {
  test.each([
    [line('server', 'incoming', 'tools/call'), 'request', 'in', 'tools/call', {}],
    [line('server', 'outgoing', 'tools/call'), 'response', 'out', 'tools/call', {}],
    [line('client', 'outgoing', 'tools/call'), 'request', 'out', 'tools/call', {}],
    [line('client', 'incoming', 'tools/call', { _request: 1, a: 1 }), 'response', 'in', 'tools/call', { a: 1 }],
    [line('server', 'incoming', 'tools/call', { _request: 1 }), 'request', 'in', 'tools/call', { _request: 1 }],
    [
      line('client', 'incoming', 'sampling/createMessage', { a: 1 }),
      'request',
      'in',
      'sampling/createMessage',
      { a: 1 },
    ],
    [line('client', 'outgoing', 'roots/list'), 'response', 'out', 'roots/list', {}],
    [
      line('server', 'outgoing', 'elicitation/create', { ...envelope, method: 'm', params: { a: 1 } }),
      'request',
      'out',
      'elicitation/create',
      { a: 1 },
    ],
    [line('server', 'outgoing', 'roots/list', { ...envelope, method: 'm' }), 'request', 'out', 'roots/list', {}],
    [
      line('server', 'incoming', 'elicitation/create', { ...envelope, result: { action: 'accept' } }),
      'response',
      'in',
      'elicitation/create',
      { action: 'accept' },
    ],
    [
      line('server', 'incoming', 'sampling/createMessage', { ...envelope, error: { code: 1 } }),
      'response',
      'in',
      'sampling/createMessage',
      { code: 1 },
    ],
    [line('server', 'outgoing', 'notifications/message'), 'request', 'out', 'notifications/message', {}],
    [line('ui', 'outgoing', 'run_agent_input'), 'request', 'out', 'run_agent_input', {}],
    [line('ui', 'incoming', 'tool_call_start'), 'response', 'in', 'tool_call_start', {}],
    [line('ui', 'incoming', 'interrupt'), 'response', 'in', 'custom', {}],
    [line('callee', 'incoming', 'message/send'), 'request', 'in', 'message/send', {}],
    [line('caller', 'incoming', 'task/status:completed'), 'response', 'in', 'task/status', {}],
    [line('caller', 'incoming', 'message/response'), 'response', 'in', 'message/response', {}],
  ])('%s', async (text, direction, flow, surface, content) => {
    expect(await read([text])).toEqual([
      { ok: true, value: expect.objectContaining({ direction, flow, surface, content }) },
    ])
  })

  test('an A2A response belongs to the last request of its actor', async () => {
    const items = await read([
      line('caller', 'outgoing', 'message/stream'),
      line('callee', 'outgoing', 'tasks/get'),
      line('caller', 'incoming', 'task/created'),
    ])
    expect(items[2]).toMatchObject({ value: { surface: 'message/stream' } })
  })

  test('an event that could not be parsed is malformed', async () => {
    expect(await read([line('ui', 'incoming', '_sse_parse_error', { error: 'x' })])).toMatchObject([
      { ok: true, value: { surface: '', flow: 'in', malformed: expect.stringContaining('could not parse') } },
    ])
  })

  test('a summary is not a message', async () => {
    expect(await read([line('ui', 'incoming', '_accumulated_response', { content: '' })])).toEqual([])
  })
})

describe('missing information is reported', () => {
  const messages = async (lines: string[], given?: NormalDocument) =>
    (await collect(readTraceLines(lines, given === undefined ? {} : { document: given }))).map((item) =>
      item.ok ? 'ok' : item.error.message,
    )

  test('no document', async () => {
    expect(await messages([line('server', 'incoming', 'a')])).toEqual([
      'line 1: missing document: a ThoughtJack trace does not contain the protocols of its actors',
    ])
  })

  test('an unknown actor', async () => {
    expect(await messages([line('server', 'incoming', 'a'), line('other', 'incoming', 'a')], document)).toEqual([
      'ok',
      'line 2: unknown actor "other"; actors in the document: server, client, ui, caller, callee',
    ])
  })

  test('a document in short form has one actor', async () => {
    const { document: short } = asLoaded({
      oatf: '0.1',
      attack: { execution: { mode: 'mcp_server', state: {} } },
    })
    expect(await messages([line('default', 'incoming', 'a')], short)).toEqual(['ok'])
  })

  test('a malformed line, and a field of the wrong type', async () => {
    const first = line('server', 'incoming', 'a')
    expect(
      await messages([first, first.slice(0, -5), line('server', 'in', 'a'), first.replace('2026-', 'x')], document),
    ).toEqual([
      'ok',
      expect.stringContaining('truncated'),
      'line 3: expected "direction" to be "incoming" or "outgoing", got "in"',
      expect.stringContaining('to be a time'),
    ])
  })

  test('a trace of the maximum length may be incomplete', async () => {
    const one = line('server', 'incoming', 'a')
    const shorter = await messages(
      Array.from({ length: 99_999 }, () => one),
      document,
    )
    expect(shorter.filter((message) => message !== 'ok')).toEqual([])
    const full = await messages(
      Array.from({ length: 100_000 }, () => one),
      document,
    )
    expect(full.at(-1)).toContain('at most 100000 messages')
  })
})
