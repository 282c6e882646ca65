import { expect, test } from 'vitest'
import { type ClientMessage, finalAnswer } from '../../src/judge/final-answer.ts'

const heard = (mode: string, surface: string, content: ClientMessage['content']): ClientMessage => ({
  mode,
  flow: 'in',
  surface,
  content,
})
const parts = (text: string) => [{ kind: 'text', text }]

test.each<[string, readonly ClientMessage[], string | undefined]>([
  ['nothing', [], undefined],
  [
    'AG-UI: the last whole text',
    [
      heard('ag_ui_client', 'text_message_end', { _text: 'first' }),
      heard('ag_ui_client', 'text_message_end', { _text: 'last' }),
      heard('ag_ui_client', 'text_message_content', { delta: 'piece' }),
    ],
    'last',
  ],
  ['A2A: a message', [heard('a2a_client', 'message/send', { kind: 'message', parts: parts('hi') })], 'hi'],
  [
    'A2A: the artifacts of a task rather than its status',
    [
      heard('a2a_client', 'message/send', {
        kind: 'task',
        status: { message: { parts: parts('done') } },
        artifacts: [{ parts: parts('a') }, { parts: parts('b') }],
      }),
    ],
    'a\nb',
  ],
  [
    'A2A: an artifact in parts',
    [
      heard('a2a_client', 'message/stream', { kind: 'artifact-update', artifact: { parts: parts('one ') } }),
      heard('a2a_client', 'message/stream', {
        kind: 'artifact-update',
        append: true,
        artifact: { parts: parts('two') },
      }),
      heard('a2a_client', 'message/stream', { kind: 'status-update', status: { state: 'completed' }, final: true }),
    ],
    'one two',
  ],
  [
    'A2A: data, which may be an error',
    [heard('a2a_client', 'message/send', { kind: 'message', parts: [{ kind: 'data', data: { error: 'busy' } }] })],
    '{"error":"busy"}',
  ],
  ['A2A: no card', [heard('a2a_client', 'agent_card/get', { parts: parts('card') })], undefined],
  ['MCP: what a tool gave', [heard('mcp_client', 'tools/call', { content: [{ type: 'text', text: 'x' }] })], 'x'],
  ['not what a server was asked', [heard('mcp_server', 'tools/call', { content: parts('x') })], undefined],
])('%s', (_, messages, answer) => {
  expect(finalAnswer(messages)).toBe(answer)
})

test('sent messages are not an answer', () => {
  expect(finalAnswer([{ ...heard('ag_ui_client', 'text_message_end', { _text: 'x' }), flow: 'out' }])).toBeUndefined()
})
