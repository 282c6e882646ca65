import { load } from '@joust/oatf'
import type { Value, ValueRecord } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { messagesOf, productionEntries, spansIn } from '../../src/index.ts'

const anyValue = (value: unknown): Value =>
  typeof value === 'string' ? { stringValue: value } : { arrayValue: { values: (value as unknown[]).map(anyValue) } }

const span = (attributes: Readonly<Record<string, unknown>>, start = '1', traceId = 'a1'): ValueRecord => ({
  traceId,
  name: 'span',
  startTimeUnixNano: start,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) })),
})

const read = (...spans: ValueRecord[]) => {
  const result = spansIn({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  if (!result.ok) throw new Error(result.error)
  return messagesOf(result.value)
}

const messages = (...list: unknown[]) => JSON.stringify(list)
const user = { role: 'user', parts: [{ type: 'text', content: 'Pay the bill.' }] }
const asked = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'pay', arguments: { to: 'Box 7' } }] }
const paid = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'done' }] }
const answer = { role: 'assistant', parts: [{ type: 'text', content: 'Paid.' }] }

describe('messages of OpenTelemetry spans', () => {
  test('are a request of the user, a tool call, its result and the answer, each once', () => {
    const first = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages(user),
      'gen_ai.output.messages': messages(asked),
    }
    const tool = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.call.arguments': '{"to":"Box 7"}',
      'gen_ai.tool.call.result': 'done',
    }
    const second = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': messages(user, asked, paid),
      'gen_ai.output.messages': messages(answer),
    }
    const { messages: read_, notRecorded } = read(span(second, '30'), span(tool, '20'), span(first, '9'))
    expect(notRecorded).toBe(0)
    expect(read_.map(({ protocol, direction, surface }) => [protocol, direction, surface])).toEqual([
      ['ag_ui', 'request', 'run_agent_input'],
      ['mcp', 'request', 'tools/call'],
      ['mcp', 'response', 'tools/call'],
      ['ag_ui', 'response', 'text_message_content'],
    ])
    expect(read_[1]?.content).toEqual({ name: 'pay', arguments: { to: 'Box 7' } })
  })

  test('are found in the flat attributes of OpenInference', () => {
    const at = 'llm.output_messages.0.message'
    const { messages: found } = read(
      span({
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'Pay the bill.',
        [`${at}.role`]: 'assistant',
        [`${at}.tool_calls.0.tool_call.id`]: 'c1',
        [`${at}.tool_calls.0.tool_call.function.name`]: 'pay',
        [`${at}.tool_calls.0.tool_call.function.arguments`]: '{"to":"Box 7"}',
      }),
    )
    expect(found.map(({ content }) => content)).toEqual([
      { messages: [{ role: 'user', content: 'Pay the bill.' }] },
      { name: 'pay', arguments: { to: 'Box 7' } },
    ])
  })

  test('without content are counted as not recorded', () => {
    const { messages: none, notRecorded } = read(
      span({ 'gen_ai.operation.name': 'chat' }),
      span({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'pay' }),
      span({ 'http.method': 'GET' }),
    )
    expect([none, notRecorded]).toEqual([[], 2])
  })

  test('of two traces stay apart', () => {
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages(user) }
    expect(read(span(chat, '1', 'a1'), span(chat, '2', 'b2')).messages.map(({ session }) => session)).toEqual([
      'a1',
      'b2',
    ])
  })
})

test.each([[null], [[]], [{ resourceSpans: 7 }], [{ spans: [] }]])('%j is not a document with spans', (document) => {
  expect(spansIn(document as Value).ok).toBe(false)
})

test.each([
  [{ resourceSpans: [7, null, { scopeSpans: [{ spans: [3, { attributes: [{ key: 1 }, null, { key: 'a' }] }] }] }] }],
  [{ resourceSpans: [{ scopeSpans: { spans: 1 } }] }],
])('odd parts of %j are skipped', (document) => {
  const spans = spansIn(document as Value)
  expect(spans.ok && messagesOf(spans.value)).toEqual({ messages: [], notRecorded: 0 })
})

test('entries go to every actor of the protocol and side', () => {
  const loaded = load(`
oatf: "0.1"
attack:
  name: Two servers and a user
  execution:
    actors:
      - { name: bank, mode: mcp_server, phases: [{ state: { tools: [] } }] }
      - { name: mail, mode: mcp_server, phases: [{ state: { tools: [] } }] }
      - { name: user, mode: ag_ui_client, phases: [{ state: { run_agent_input: { messages: [{ id: m, role: user, content: x }] } } }] }
  indicators:
    - { protocol: mcp, surface: tools/call, target: name, pattern: { contains: pay } }
`)
  if (!loaded.ok) throw new Error(loaded.error[0]?.message)
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': messages(asked, answer) }
  const entries = productionEntries(read(span(chat)).messages, loaded.value.document)
  expect(entries.map(({ seq, actor, surface }) => [seq, actor, surface])).toEqual([
    [1, 'bank', 'tools/call'],
    [2, 'mail', 'tools/call'],
    [3, 'user', 'text_message_content'],
  ])
})
