import { isRecord, type Value, writeJson } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyValue } from '../../../../results/test/support/entries.ts'
import { createTranscript } from '../../../src/drivers/ag-ui-client/transcript.ts'

const scene = { index: 0, phase: 'phase-1', state: {} }

function read(events: readonly (readonly [string, Value])[]) {
  let last = 0
  const transcript = createTranscript([], () => `id-${++last}`)
  for (const [name, event] of events) if (isRecord(event)) transcript.take(name, event, scene)
  return transcript
}

describe('a transcript', () => {
  it('keeps calls of one turn in one message, unless the agent says whose they are', () => {
    const start = (toolCallId: string, parentMessageId?: string): [string, Value] => [
      'tool_call_start',
      { toolCallId, toolCallName: 'pay', ...(parentMessageId === undefined ? {} : { parentMessageId }) },
    ]
    const messages = (...events: [string, Value][]) => JSON.parse(JSON.stringify(read(events).messages()))
    const ids = (all: { id: string; toolCalls: { id: string }[] }[]) =>
      all.map((one) => [one.id, one.toolCalls.map(({ id }) => id)])
    expect(ids(messages(start('a'), start('b')))).toEqual([['id-1', ['a', 'b']]])
    expect(ids(messages(start('a', 'm'), start('b', 'n'), start('c', 'm')))).toEqual([
      ['m', ['a', 'c']],
      ['n', ['b']],
    ])
  })

  it('ignores other roles', () => {
    const transcript = read([
      ['text_message_start', { messageId: 'm', role: 'developer' }],
      ['tool_call_start', { toolCallId: 'c', toolCallName: 'pay' }],
    ])
    expect(transcript.messages()).toMatchObject([
      { role: 'developer' },
      { role: 'assistant', toolCalls: [{ id: 'c' }] },
    ])
  })

  it('continues after a snapshot', () => {
    const transcript = read([
      ['text_message_start', { messageId: 'm' }],
      ['messages_snapshot', { messages: [{ id: 's' }] }],
      ['text_message_content', { messageId: 'm', delta: 'more' }],
      ['messages_snapshot', { messages: 'no list' }],
    ])
    expect(transcript.messages()).toEqual([{ id: 's' }, { id: 'm', role: 'assistant', content: 'more' }])
  })

  it('keeps the last state that came whole', () => {
    const transcript = read([
      ['state_snapshot', { snapshot: { n: 1 } }],
      ['state_snapshot', { snapshot: null }],
      ['state_delta', { delta: [{ op: 'replace', path: '', value: 2 }] }],
    ])
    expect(transcript.state()).toBeNull()
    expect(read([]).state()).toBeUndefined()
  })

  it('takes any event', () => {
    const names = [
      ...['text_message_start', 'text_message_content', 'tool_call_start', 'tool_call_args'],
      ...['tool_call_result', 'messages_snapshot', 'state_snapshot'],
    ]
    const id = fc.oneof(fc.constantFrom('', 'a', 'b', '__proto__'), anyValue)
    const event = fc.record(
      {
        toolCallId: id,
        messageId: id,
        parentMessageId: id,
        toolCallName: id,
        role: fc.oneof(fc.constant('assistant'), anyValue),
        delta: anyValue,
        content: anyValue,
        messages: anyValue,
        snapshot: anyValue,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), event)), (events) => {
        // Any JSON is a `Value`.
        const transcript = read(events as [string, Value][])
        const messages = writeJson(transcript.messages())
        for (const call of transcript.unanswered()) expect(messages).toContain(writeJson(call.id))
      }),
    )
  })
})
