import { testState, testTranslation } from './translation-test.ts'

testState('D-005', 'a2a_client', [
  {
    name: 'a message is sent',
    before: '{ task_message: { role: user, parts: [{ kind: text, text: Hi. }] } }',
    after:
      '{ actions: [{ method: message/send, params: { message: { role: user, kind: message, messageId: default-phase-1-message, parts: [{ kind: text, text: Hi. }] } } }] }',
    at: ['task_message'],
    says: '"task_message" is read as an action "message/send"',
  },
  {
    name: 'as a stream, with an id of its own',
    before: '{ streaming: true, task_message: { kind: message, messageId: m, role: user, parts: [] } }',
    after:
      '{ actions: [{ method: message/stream, params: { message: { kind: message, messageId: m, role: user, parts: [] } } }] }',
  },
  {
    name: 'expressly not as a stream',
    before: '{ task_message: { kind: message, messageId: m, role: user, parts: [] }, streaming: false }',
    after:
      '{ actions: [{ method: message/send, params: { message: { kind: message, messageId: m, role: user, parts: [] } } }] }',
  },
  { name: 'beside actions', before: '{ actions: [], task_message: { role: user } }' },
  { name: 'no mapping', before: '{ task_message: Hi. }' },
])

testState('D-005', 'a2a_server', [{ name: 'a server sends none', before: '{ task_message: { role: user } }' }])

testTranslation(
  'D-005',
  (state) => ({ attack: { 'x-joust-verbatim': true, execution: { mode: 'a2a_client', state } } }),
  ['attack', 'execution', 'state'],
  [
    {
      name: 'what is to go out as written lacks what it lacks',
      before: '{ task_message: { parts: [] } }',
      after: '{ actions: [{ method: message/send, params: { message: { parts: [] } } }] }',
    },
  ],
)
