/** Streams as servers really send them. */
import { describe, expect, test } from 'vitest'
import { type ModelCall, readCall } from '../../src/index.ts'

function read(path: string, body: string, status = 200): ModelCall {
  const request = { headers: [], size: 2, body: '{}' }
  const answer = { status, headers: [], size: body.length, body }
  return readCall({
    sequence: 1,
    method: 'POST',
    path,
    request,
    answer,
    end: 'whole',
    started: 0,
    duration: 0,
    diagnostics: [],
  })
}
const stream = (...events: (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\r\n\r\n`).join('')
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const chat = (...events: (object | string)[]) => read('/v1/chat/completions', `: PROCESSING\n\n${stream(...events)}`)

describe('chat completions', () => {
  test('calls that come interleaved', () => {
    const part = (index: number, text: string, id?: string) =>
      chunk({
        tool_calls: [{ index, ...(id && { id }), function: { ...(id && { name: `f${id}` }), arguments: text } }],
      })
    const { answer, finish } = chat(
      part(0, '{"x"', 'a'),
      part(1, '{"y"', 'b'),
      part(0, ':1}'),
      part(1, ':2}'),
      chunk({}, 'tool_calls'),
      '[DONE]',
    )
    expect(answer.calls).toEqual([
      { id: 'a', name: 'fa', input: { x: 1 } },
      { id: 'b', name: 'fb', input: { y: 2 } },
    ])
    expect(finish).toEqual({ kind: 'complete', word: 'tool_calls' })
  })

  test('calls without an index', () => {
    const { answer } = chat(
      chunk({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '' } }] }),
      chunk({ tool_calls: [{ function: { arguments: '{"x":1}' } }] }),
      chunk({ tool_calls: [{ id: 'b', function: { name: 'g', arguments: { y: 2 } } }] }),
      chunk({}, 'tool_calls'),
    )
    expect(answer.calls).toEqual([
      { id: 'a', name: 'f', input: { x: 1 } },
      { id: 'b', name: 'g', input: { y: 2 } },
    ])
  })

  test.each([
    [[chunk({ content: 'x' }, 'length')], 'cut'],
    [[chunk({ content: 'x' }, 'content_filter'), chunk({}, 'stop')], 'filtered'],
    [[chunk({ content: 'x' }, 'interrupted')], 'cut'],
    [[chunk({ content: 'x' }, 'purple')], 'unknown'],
    [[chunk({ content: 'x' }), '[DONE]'], 'unknown'],
    [[chunk({ content: 'x' })], 'cut'],
    [[chunk({ content: 'x' }), { error: { message: 'overloaded' } }], 'error'],
    [[chunk({ content: 'x' }), '{broken', chunk({}, 'stop')], 'unknown'],
  ])('an end that is not complete: %j', (events, kind) => {
    expect(chat(...events).finish.kind).toBe(kind)
  })
})

describe('responses', () => {
  const path = '/v1/responses'
  const item = { type: 'message', content: [{ type: 'output_text', text: 'hi' }] }

  test('a closing event without items', () => {
    const { answer, finish, usage } = read(
      path,
      stream(
        { type: 'response.output_text.delta', delta: 'hi' },
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: 'response.completed',
          response: { status: 'completed', output: [], usage: { input_tokens: 1, output_tokens: 2 } },
        },
      ),
    )
    expect({ answer, finish, usage }).toEqual({
      answer: { text: 'hi', calls: [] },
      finish: { kind: 'complete', word: 'completed' },
      usage: { input: 1, output: 2 },
    })
  })

  test('a stream of items only, cut', () => {
    const { answer, finish } = read(path, stream({ type: 'response.output_item.done', output_index: 0, item }))
    expect({ answer, finish }).toEqual({ answer: { text: 'hi', calls: [] }, finish: { kind: 'cut' } })
  })

  test('a failed response', () => {
    const failed = { type: 'response.failed', response: { status: 'failed', error: { code: 'x', message: 'broke' } } }
    expect(read(path, stream(failed))).toMatchObject({ error: 'broke', finish: { kind: 'error' } })
  })
})

test('Anthropic counts tokens of its cache apart, and splits usage', () => {
  const { usage, error, finish } = read(
    '/v1/messages',
    stream(
      {
        type: 'message_start',
        message: {
          usage: { input_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 1, output_tokens: 1 },
        },
      },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ),
  )
  expect({ usage, error, finish }).toEqual({
    usage: { input: 13, output: 9, cached: 7 },
    error: 'Overloaded',
    finish: { kind: 'error' },
  })
})

test('Gemini blocks a prompt, counts thoughts, and hides them', () => {
  const path = '/v1beta/models/m:generateContent'
  expect(read(path, '{"promptFeedback":{"blockReason":"OTHER"}}').finish).toEqual({ kind: 'filtered', word: 'SAFETY' })
  const parts = [{ text: 'hm', thought: true }, { text: 'hi' }]
  const body = {
    candidates: [{ content: { parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 4 },
  }
  expect(read(path, JSON.stringify(body))).toMatchObject({ answer: { text: 'hi' }, usage: { input: 3, output: 6 } })
})

test.each([
  ['content_filter', 400, 'filtered'],
  ['content_policy_violation', 400, 'filtered'],
  ['data_inspection_failed', 200, 'filtered'],
  ['rate_limit_exceeded', 429, 'error'],
  ['invalid_request_error', 400, 'error'],
])('the error %s with status %i is %s', (code, status, kind) => {
  for (const error of [
    { code, message: 'no' },
    { type: code, message: 'no' },
  ])
    expect(read('/v1/chat/completions', JSON.stringify({ error }), status)).toMatchObject({
      error: 'no',
      finish: { kind },
    })
  const quoted = { error: { code: 'invalid', message: `no "code": "${code}"` } }
  expect(read('/v1/chat/completions', JSON.stringify(quoted), status)).toMatchObject({ finish: { kind: 'error' } })
})
