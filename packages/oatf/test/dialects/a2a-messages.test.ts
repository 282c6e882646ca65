import { testState } from './translation-test.ts'

testState('D-015', 'a2a_server', [
  {
    name: 'parts of messages, answers and artifacts',
    before: `
task_responses:
  - content:
      status: { state: completed, message: { role: agent, parts: [{ type: text, text: a }, b] } }
      history: [{ role: user, messageId: m, parts: [{ type: data, data: {} }] }]
      artifacts: [{ parts: [{ type: text, text: c }] }]
  - content: { parts: [{ type: text, text: d }] }`,
    after: `
task_responses:
  - content:
      status:
        state: completed
        message: { role: agent, kind: message, messageId: default-phase-1-message-2, parts: [{ kind: text, text: a }, { kind: text, text: b }] }
      history: [{ role: user, messageId: m, kind: message, parts: [{ kind: data, data: {} }] }]
      artifacts: [{ parts: [{ kind: text, text: c }] }]
  - content: { parts: [{ kind: text, text: d }] }`,
    at: ['task_responses', 0, 'content', 'history', 0],
    says: '"kind" instead of "type", and a "messageId"',
  },
  {
    name: 'a message whose parts are as A2A has them is its author’s',
    before:
      '{ task_responses: [{ content: { status: { state: completed, message: { parts: [{ kind: text, text: a }] } } } }] }',
  },
  {
    name: 'parts of no kind',
    before:
      '{ task_responses: [{ content: { parts: [{ type: image }, { text: a }, 1, { kind: text, type: text }] } }] }',
  },
])

testState('D-015', 'a2a_client', [
  {
    name: 'what a client sends',
    before: '{ actions: [{ method: message/send, params: { message: { parts: [{ type: text, text: a }] } } }] }',
    after:
      '{ actions: [{ method: message/send, params: { message: { role: user, kind: message, messageId: default-phase-1-message-1, parts: [{ kind: text, text: a }] } } }] }',
  },
])
