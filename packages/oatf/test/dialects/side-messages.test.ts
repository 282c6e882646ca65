import { testState } from './translation-test.ts'

const many = `[${Array.from({ length: 65 }, () => '{ content: [] }').join(', ')}]`

testState('D-009', 'mcp_server', [
  {
    name: 'sent before every answer, log entries first',
    before:
      '{ tools: [{ name: a, responses: [{ content: 1 }] }, { name: b, responses: [{ content: 2 }] }], sampling_requests: [{ maxTokens: 5 }], logging: [{ data: x }] }',
    after: `{ tools: [
      { name: a, responses: [{ content: 1, x-joust-during: [{ send: { method: notifications/message, params: { data: x } } }, { send: { method: sampling/createMessage, params: { maxTokens: 5 } } }] }] },
      { name: b, responses: [{ content: 2, x-joust-during: [{ send: { method: notifications/message, params: { data: x } } }, { send: { method: sampling/createMessage, params: { maxTokens: 5 } } }] }] }] }`,
    at: ['logging'],
    says: '"logging" is read as "x-joust-during" of every response',
  },
  { name: 'no answer', before: '{ tools: [{ name: a }], sampling_requests: [{ maxTokens: 5 }] }' },
  {
    name: 'an answer that says what is sent',
    before: '{ tools: [{ responses: [{ x-joust-during: [] }] }], sampling_requests: [{ maxTokens: 5 }] }',
  },
  { name: 'too many answers', before: `{ tools: [{ responses: ${many} }], sampling_requests: [{ maxTokens: 5 }] }` },
  { name: 'an empty list', before: '{ tools: [{ responses: [{}] }], sampling_requests: [], logging: {} }' },
])
