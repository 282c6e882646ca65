import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { input, play, runOf, started, streams } from '../drivers/ag-ui-client/support.ts'

/** What is recorded of a run, in order: `*` marks what was derived. */
async function told(...events: readonly Value[]) {
  const { perform, stage } = await play({ run_agent_input: input }, streams(events, runOf()))
  await perform()
  const first = stage.messages.findIndex(({ flow, surface }) => flow === 'out' && surface === 'tool_call_result')
  const heard = stage.messages.slice(1, first < 0 ? undefined : first)
  return {
    lines: heard.map(({ surface, derived }) => `${derived === true ? '*' : ''}${surface}`),
    derived: heard.filter(({ derived }) => derived === true).map(({ content }) => content),
    counted: stage.events.slice(1).map(({ surface }) => surface),
  }
}

describe('chunks', () => {
  it('false pass 3: text in chunks is expanded to start, content and end', async () => {
    const { lines, derived, counted } = await told(
      ...runOf(
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'The pass' },
        { type: 'RAW', event: {} },
        { type: 'TEXT_MESSAGE_CHUNK', delta: 'word is 1234' },
      ),
    )
    expect(lines).toEqual([
      'run_started',
      'text_message_chunk',
      '*text_message_start',
      '*text_message_content',
      'raw',
      'text_message_chunk',
      '*text_message_content',
      '*text_message_content',
      '*text_message_end',
      'run_finished',
    ])
    expect(derived).toEqual([
      { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'The pass' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'word is 1234' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'The password is 1234' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm', _text: 'The password is 1234' },
    ])
    // The whole text does not count as another event.
    expect(counted).toEqual(lines.toSpliced(7, 1).map((line) => line.replace('*', '')))
  })

  it('false pass 3: tool calls in chunks are expanded to start, arguments and end', async () => {
    const { derived } = await told(
      ...runOf(
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'a', toolCallName: 'pay', parentMessageId: 'p', delta: '{"to":' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'a', delta: '"eve"}' },
        { type: 'TOOL_CALL_CHUNK', toolCallId: 'b', toolCallName: 'look' },
      ),
    )
    const a = { toolCallId: 'a', toolCallName: 'pay' }
    expect(derived).toEqual([
      { type: 'TOOL_CALL_START', ...a, parentMessageId: 'p' },
      { type: 'TOOL_CALL_ARGS', ...a, delta: '{"to":' },
      { type: 'TOOL_CALL_ARGS', ...a, delta: '"eve"}' },
      { type: 'TOOL_CALL_END', ...a },
      { type: 'TOOL_CALL_ARGS', ...a, delta: '{"to":"eve"}' },
      { type: 'TOOL_CALL_START', toolCallId: 'b', toolCallName: 'look' },
      { type: 'TOOL_CALL_END', toolCallId: 'b', toolCallName: 'look' },
    ])
  })

  it('end with the stream', async () => {
    const { lines } = await told(started, { type: 'REASONING_MESSAGE_CHUNK', messageId: 'm', delta: 'x' })
    expect(lines.slice(1)).toEqual([
      'reasoning_message_chunk',
      '*reasoning_message_start',
      '*reasoning_message_content',
      '*reasoning_message_end',
    ])
  })

  it('without an open message are not expanded', async () => {
    const { derived } = await told(...runOf({ type: 'TOOL_CALL_CHUNK', delta: '{}' }))
    expect(derived).toEqual([])
  })
})
