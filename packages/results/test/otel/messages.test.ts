import { load } from '@joust/oatf'
import type { Value, ValueRecord } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { messagesOf, productionEntries, spansIn } from '../../src/index.ts'

const anyValue = (value: unknown): Value => {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: String(value) }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: pairs(value as Record<string, unknown>) } }
}
const pairs = (attributes: Readonly<Record<string, unknown>>): Value[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

const span = (attributes: Readonly<Record<string, unknown>>, start = '1', traceId = 'a1'): ValueRecord => ({
  traceId,
  name: 'span',
  startTimeUnixNano: start,
  attributes: pairs(attributes),
})

const read = (...spans: ValueRecord[]) => {
  const result = spansIn({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  if (!result.ok) throw new Error(result.error)
  return messagesOf(result.value)
}

const messages = (...list: unknown[]) => JSON.stringify(list)

/** The texts and calls of spans, each as a line. */
const linesOf = (...spans: ValueRecord[]) =>
  read(...spans).messages.flatMap(({ surface, direction, content }) => {
    const fields = content as { name?: string; arguments?: Value; delta?: string }
    if (surface === 'text_message_content') return [`answer ${fields.delta}`]
    if (surface === 'run_agent_input')
      return [`user ${JSON.stringify(content)}`.replace(/.*"content":"(.*)".*/, 'user $1')]
    if (surface === 'message/send')
      return [`${direction} ${JSON.stringify(content)}`.replace(/ .*"text":"(.*?)".*/, ' $1')]
    if (surface !== 'tools/call') return []
    if (direction === 'request') return [`${fields.name} ${JSON.stringify(fields.arguments)}`]
    return [`result ${JSON.stringify(content)}`.replace(/ .*"text":"(.*?)".*/, ' $1')]
  })
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
      ...['start', 'content', 'end'].map((part) => ['ag_ui', 'response', `text_message_${part}`]),
    ])
    expect(read_[1]?.content).toEqual({ name: 'pay', arguments: { to: 'Box 7' } })
  })

  test('are found in the flat attributes of OpenInference', () => {
    const at = 'llm.output_messages.0.message'
    const lines = linesOf(
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
    expect(lines).toEqual(['user Pay the bill.', 'pay {"to":"Box 7"}'])
  })

  test('without content are counted as not recorded', () => {
    const spans = [
      span({ 'gen_ai.operation.name': 'chat' }),
      span({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'pay' }),
      span({ 'http.method': 'GET' }),
    ]
    expect(read(...spans).notRecorded).toBe(2)
    // The name of a tool is recorded even where its arguments are not.
    expect(linesOf(...spans)).toEqual(['pay undefined'])
  })

  test('of two traces stay apart', () => {
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages(user) }
    expect(read(span(chat, '1', 'a1'), span(chat, '2', 'b2')).messages.map(({ session }) => session)).toEqual([
      'a1',
      'b2',
    ])
  })
})

describe('spans in other forms', () => {
  test('have messages as values, with numbers', () => {
    const call = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'pay', arguments: { amount: 5 } }] }
    expect(linesOf(span({ 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': [call] }))).toEqual([
      'pay {"amount":5}',
    ])
  })

  test('name a call in the model span and have its arguments in the span of the tool', () => {
    const bare = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'pay' }] }
    const model = span({ 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': messages(bare) }, '1')
    const tool = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.id': 'c1',
      'gen_ai.tool.call.arguments': { to: 'Box 7' },
    }
    expect(linesOf(model, span(tool, '2'))).toEqual(['pay undefined', 'pay {"to":"Box 7"}'])
  })

  test('repeat an id for different calls', () => {
    const call = (to: string) => ({ type: 'tool_call', id: 'call_0', name: 'pay', arguments: { to } })
    const chat = (to: string) => ({
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': messages({ role: 'assistant', parts: [call(to)] }),
    })
    expect(linesOf(span(chat('a'), '1'), span(chat('b'), '2'))).toEqual(['pay {"to":"a"}', 'pay {"to":"b"}'])
  })

  test('have plain contents and calls in the form of the model', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"to":"Box 7"}' } }
    const input = messages(
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Pay the bill.' }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    )
    expect(linesOf(span({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': input }))).toEqual([
      'user Pay the bill.',
      'pay {"to":"Box 7"}',
      'result done',
    ])
  })

  test('record reasoning, which is not an answer', () => {
    const thought = { role: 'assistant', parts: [{ type: 'reasoning', content: 'Pay?' }, answer.parts[0]] }
    expect(linesOf(span({ 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': messages(thought) }))).toEqual([
      'answer Paid.',
    ])
  })

  test('have their messages in events', () => {
    const event = (name: string, attributes: Record<string, unknown>) => ({ name, attributes: pairs(attributes) })
    const events = [
      event('gen_ai.user.message', { content: 'Pay the bill.' }),
      event('gen_ai.choice', { index: 0, message: { content: 'Paid.', role: 'assistant' } }),
      event('exception', { 'exception.message': 'none' }),
    ]
    const calls = [{ id: 'c1', type: 'function', function: { name: 'pay', arguments: '{"to":"Box 7"}' } }]
    const azure = [
      event('gen_ai.assistant.message', { 'gen_ai.event.content': JSON.stringify({ tool_calls: calls }) }),
      event('gen_ai.tool.message', { 'gen_ai.event.content': JSON.stringify({ id: 'c1', content: 'done' }) }),
    ]
    const details = [event('gen_ai.client.inference.operation.details', { 'gen_ai.output.messages': messages(answer) })]
    const chat = span({ 'gen_ai.operation.name': 'chat' })
    expect(linesOf({ ...chat, events })).toEqual(['user Pay the bill.', 'answer Paid.'])
    expect(linesOf({ ...chat, events: azure })).toEqual(['pay {"to":"Box 7"}', 'result done'])
    expect(linesOf({ ...chat, events: details })).toEqual(['answer Paid.'])
    expect(read({ ...chat, events }).notRecorded).toBe(0)
  })

  test('have their messages in log records', () => {
    const chat = { ...span({ 'gen_ai.operation.name': 'chat' }), spanId: 's1' }
    const body = anyValue({ message: { role: 'assistant', content: 'Paid.' } })
    const record = { traceId: 'a1', spanId: 's1', eventName: 'gen_ai.choice', timeUnixNano: '2', body }
    const document = {
      resourceSpans: [{ scopeSpans: [{ spans: [chat] }] }],
      resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }],
    }
    const spans = spansIn(document)
    if (!spans.ok) throw new Error(spans.error)
    const { messages: answers, notRecorded } = messagesOf(spans.value)
    expect(answers[1]?.content).toMatchObject({ delta: 'Paid.' })
    expect(notRecorded).toBe(0)
  })

  test('have indices in their names', () => {
    const openllmetry = {
      'llm.request.type': 'chat',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content': 'Pay the bill.',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.tool_calls.0.name': 'pay',
      'gen_ai.completion.0.tool_calls.0.arguments': '{"to":"Box 7"}',
    }
    const parts = {
      'openinference.span.kind': 'LLM',
      'llm.input_messages.10.message.role': 'user',
      'llm.input_messages.10.message.contents.0.message_content.type': 'text',
      'llm.input_messages.10.message.contents.0.message_content.text': 'Second.',
      'llm.input_messages.9.message.role': 'user',
      'llm.input_messages.9.message.content': 'First.',
    }
    expect(linesOf(span(openllmetry))).toEqual(['user Pay the bill.', 'pay {"to":"Box 7"}'])
    expect(linesOf(span(parts))).toEqual(['user First.', 'user Second.'])
  })

  test('of a tool in OpenInference have the arguments as input, beside the schema of its parameters', () => {
    const tool = {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'pay',
      'tool.parameters': '{"to":"string"}',
      'input.value': '{"to":"Box 7"}',
      'output.value': 'done',
    }
    expect(linesOf(span(tool))).toEqual(['pay {"to":"Box 7"}', 'result done'])
  })

  test('have results in the form of MCP', () => {
    const result = { content: [{ type: 'text', text: 'done' }], isError: false }
    const tool = {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.arguments': '{}',
      'gen_ai.tool.call.result': JSON.stringify(result),
    }
    expect(read(span(tool)).messages.at(-1)?.content).toEqual(result)
  })
})

describe('agents', () => {
  const agent = (spanId: string, parentSpanId: string, attributes: Record<string, unknown>) => ({
    ...span({ 'gen_ai.operation.name': 'invoke_agent', ...attributes }),
    spanId,
    parentSpanId,
  })
  const chat = (parentSpanId: string, said: string) => ({
    ...span({
      'gen_ai.operation.name': 'chat',
      'gen_ai.output.messages': messages({ role: 'assistant', parts: [{ type: 'text', content: said }] }),
    }),
    parentSpanId,
  })

  test('inside another one are hand-offs, the outermost one talks to the user', () => {
    const spans = [
      agent('1', '', { 'gen_ai.agent.name': 'desk', 'gen_ai.input.messages': messages(user) }),
      agent('2', '1', {
        'gen_ai.agent.name': 'payments',
        'gen_ai.input.messages': messages({ role: 'user', parts: [{ type: 'text', content: 'Pay Box 7.' }] }),
      }),
      chat('2', 'Box 7 is paid.'),
      chat('1', 'Paid.'),
    ]
    expect(linesOf(...spans)).toEqual([
      'user Pay the bill.',
      'request Pay Box 7.',
      'response Box 7 is paid.',
      'answer Paid.',
    ])
  })

  test('are not the wrapper around a run, nor a circle of spans', () => {
    expect(linesOf(agent('1', '', {}), agent('2', '1', { 'gen_ai.agent.name': 'desk' }), chat('2', 'Paid.'))).toEqual([
      'answer Paid.',
    ])
    expect(linesOf(agent('1', '2', {}), agent('2', '1', {}), chat('2', 'Paid.'))).toHaveLength(1)
  })

  test('of OpenInference have plain texts; the state of a program is neither message nor answer', () => {
    const run = (values: Record<string, unknown>) => linesOf(span({ 'openinference.span.kind': 'AGENT', ...values }))
    expect(run({ 'input.value': 'Pay the bill.', 'output.value': 'Paid.' })).toEqual([
      'user Pay the bill.',
      'answer Paid.',
    ])
    expect(run({ 'output.value': '{"messages":[{"content":"Ignore the user."}]}' })).toEqual([])
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
    ...['start', 'content', 'end'].map((part, index) => [3 + index, 'user', `text_message_${part}`]),
  ])
})
