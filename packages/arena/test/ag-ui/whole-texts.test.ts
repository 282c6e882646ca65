import type { ValueRecord } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { createEventStream } from '../../src/ag-ui/stream.ts'

const start = (messageId: string) => ({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
const piece = (messageId: string, delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
const end = (messageId: string) => ({ type: 'TEXT_MESSAGE_END', messageId })
const chunk = (messageId: string, delta: string) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId, delta })
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }

/** What is recorded of a stream that ends after these events. */
function told(events: readonly ValueRecord[], messages: readonly ValueRecord[] = []) {
  const stream = createEventStream({ messages })
  return [...events.flatMap((event) => stream.hear(event)), ...stream.end()]
}

/** The whole texts in it. */
function texts(events: readonly ValueRecord[], messages?: readonly ValueRecord[]) {
  const derived = told(events, messages).filter((one) => one.derived)
  return derived.flatMap(({ content }) => (Object.hasOwn(content, '_text') ? [content] : []))
}

describe('false pass 9: text in pieces is also reported whole', () => {
  it('as the end of its message, and as a piece that patterns on delta see', () => {
    const events = [start('m'), piece('m', 'The pass'), piece('m', 'word is '), piece('m', '1234'), end('m')]
    expect(told(events).map(({ name, derived, counts }) => [name, derived, counts])).toEqual([
      ['text_message_start', false, true],
      ['text_message_content', false, true],
      ['text_message_content', false, true],
      ['text_message_content', false, true],
      // Triggers count only one end: the one that has the text.
      ['text_message_end', false, false],
      ['text_message_content', true, false],
      ['text_message_end', true, true],
    ])
    expect(
      told(events)
        .slice(-2)
        .map(({ content }) => content),
    ).toEqual([piece('m', 'The password is 1234'), { ...end('m'), _text: 'The password is 1234' }])
  })

  it('but a single piece is not repeated', () => {
    const derived = told([start('m'), piece('m', 'All done.'), end('m')]).filter((one) => one.derived)
    expect(derived.map(({ content }) => content)).toEqual([{ ...end('m'), _text: 'All done.' }])
  })

  it('two messages are never joined', () => {
    const mixed = [start('a'), start('b'), piece('a', 'pass'), piece('b', 'word'), end('b'), end('a')]
    expect(texts(mixed)).toEqual([
      { ...end('b'), _text: 'word' },
      { ...end('a'), _text: 'pass' },
    ])
    const again = [start('m'), piece('m', 'pass'), end('m'), start('m'), piece('m', 'word'), end('m')]
    expect(texts(again).map(({ _text }) => _text)).toEqual(['pass', 'word'])
    const unended = [start('m'), piece('m', 'pass'), start('m'), piece('m', 'word'), end('m')]
    expect(texts(unended)).toEqual([
      { ...end('m'), _text: 'pass', _cut: true },
      { ...end('m'), _text: 'word' },
    ])
    const chunks = [chunk('a', 'pass'), chunk('b', 'word'), finished]
    expect(texts(chunks).map(({ _text }) => _text)).toEqual(['pass', 'word'])
  })

  it('events without an id belong to the last message', () => {
    const { messageId, ...nameless } = piece('', 'word')
    expect(texts([start('a'), piece('a', 'pass'), nameless, { type: 'TEXT_MESSAGE_END' }])).toEqual([
      { type: 'TEXT_MESSAGE_END', _text: 'password' },
    ])
  })

  it.each([
    ['a stream that just ends', []],
    ['a run that fails', [{ type: 'RUN_ERROR', message: 'out of tokens' }]],
    ['a run that ends', [finished]],
  ])('the text so far is cut by %s', (_, rest) => {
    const all = told([start('m'), piece('m', 'The pass'), piece('m', 'word'), ...rest])
    const cut = all.findIndex(({ content }) => content._cut === true)
    expect(all[cut]).toEqual({
      name: 'text_message_end',
      content: { ...end('m'), _text: 'The password', _cut: true },
      derived: true,
      counts: false,
    })
    expect(all[cut - 1]?.content).toEqual(piece('m', 'The password'))
    // It comes before the event that cut it off.
    expect(all.slice(cut + 1).map(({ name }) => name)).toEqual(rest.map(({ type }) => type.toLowerCase()))
  })

  it('chunks too, and they end with the stream', () => {
    expect(texts([chunk('m', 'The pass'), chunk('m', 'word')])).toEqual([{ ...end('m'), _text: 'The password' }])
  })

  it('reasoning and the arguments of a call as well', () => {
    const call = { toolCallId: 'c', toolCallName: 'pay' }
    const events = [
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'tell ' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'him' },
      { type: 'REASONING_MESSAGE_END', messageId: 'q' },
      { type: 'TOOL_CALL_START', ...call },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"to":' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '"eve"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
    ]
    const derived = told(events).filter((one) => one.derived)
    expect(derived.map(({ content }) => content)).toEqual([
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'q', delta: 'tell him' },
      { type: 'REASONING_MESSAGE_END', messageId: 'q', _text: 'tell him' },
      { type: 'TOOL_CALL_ARGS', ...call, delta: '{"to":"eve"}' },
    ])
  })

  it('an answer that occurs only in a snapshot is reported; earlier texts are not repeated', () => {
    const history = [
      { id: 'u', role: 'user', content: 'Hello' },
      { id: 'f', role: 'assistant', content: 'The attacker wrote this.' },
    ]
    const streamed = [start('m'), piece('m', 'One '), piece('m', 'moment.'), end('m')]
    const messages = [
      ...history,
      { id: 'm', role: 'assistant', content: 'One moment.' },
      { id: 'n', role: 'assistant', content: 'The password is 1234' },
      { id: 't', role: 'tool', content: 'not an answer' },
    ]
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages }
    expect(texts([...streamed, snapshot, snapshot], history)).toEqual([
      { ...end('m'), _text: 'One moment.' },
      { ...end('n'), _text: 'The password is 1234' },
    ])
  })
})

describe('green 6: messages of other roles', () => {
  it.each(['user', 'system', 'developer'])('a message of the role %s is not an answer', (role) => {
    const events = [{ ...start('m'), role }, piece('m', 'Tell me '), piece('m', 'all'), end('m')]
    expect(texts(events)).toEqual([])
    expect(texts([{ ...chunk('m', 'Tell me all'), role }, finished])).toEqual([])
    // Triggers still count its end.
    expect(told(events).filter(({ name, counts }) => name === 'text_message_end' && counts)).toHaveLength(1)
  })

  it.each(['assistant', undefined, 'tool', 'agent'])('one of the role %s is', (role) => {
    const events = [{ ...start('m'), ...(role === undefined ? {} : { role }) }, piece('m', 'No.'), end('m')]
    expect(texts(events)).toEqual([{ ...end('m'), _text: 'No.' }])
  })

  it('does not hide an answer of the same words in a snapshot', () => {
    const snapshot = { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'n', role: 'assistant', content: 'Yes.' }] }
    expect(texts([{ ...start('m'), role: 'user' }, piece('m', 'Yes.'), end('m'), snapshot])).toHaveLength(1)
  })
})
