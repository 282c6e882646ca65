import { testState } from './translation-test.ts'

function task(text: string): string {
  return `{ task_responses: [{ content: ${text} }] }`
}

testState('D-014', 'a2a_server', [
  {
    name: 'a word for the status, and a message',
    before: task('{ id: t, status: failed, message: { role: agent, parts: [] } }'),
    after: task(
      '{ id: t, status: { state: failed, message: { role: agent, kind: message, messageId: default-phase-1-answer-1-message, parts: [] } } }',
    ),
    at: ['task_responses', 0, 'content'],
    says: 'a task is converted to A2A 0.3',
  },
  {
    name: 'a message in words, and no status',
    before: task('{ message: Done. }'),
    after: task(
      '{ status: { state: completed, message: { role: agent, kind: message, messageId: default-phase-1-answer-1-message, parts: [{ kind: text, text: Done. }] } } }',
    ),
  },
  {
    name: 'several messages',
    before: task(
      '{ status: { state: working }, messages: [{ kind: message, messageId: a, role: user }, { kind: message, messageId: b, role: agent }] }',
    ),
    after: task(
      '{ status: { state: working, message: { kind: message, messageId: b, role: agent } }, history: [{ kind: message, messageId: a, role: user }] }',
    ),
  },
  {
    name: 'messages after history, one of them in words',
    before: task(
      '{ status: completed, history: [{ kind: message, messageId: h, role: user }], messages: [Wait., { kind: message, messageId: b, role: agent }] }',
    ),
    after: task(
      '{ status: { state: completed, message: { kind: message, messageId: b, role: agent } }, history: [{ kind: message, messageId: h, role: user }, { role: agent, kind: message, messageId: default-phase-1-answer-1-message-1, parts: [{ kind: text, text: Wait. }] }] }',
    ),
  },
  {
    name: 'messages of which one is none',
    before: task('{ status: { state: completed }, messages: [1, { role: agent }] }'),
  },
  {
    name: 'a history that is none',
    before: task('{ status: { state: completed }, history: none, messages: [a, b] }'),
  },
  { name: 'a status that is none', before: task('{ status: 5, message: a }') },
  {
    name: 'artifacts that hold parts',
    before: task(
      '{ status: { state: completed }, artifacts: [{ artifactId: a, type: text/html, content: [{ type: text, text: t }, u] }, { artifactId: b, content: [{ kind: text, text: t }], metadata: { m: 1 }, type: text/csv }] }',
    ),
    after: task(
      '{ status: { state: completed }, artifacts: [{ artifactId: a, parts: [{ type: text, text: t }, u], metadata: { mimeType: text/html } }, { artifactId: b, parts: [{ kind: text, text: t }], metadata: { m: 1, mimeType: text/csv } }] }',
    ),
  },
  {
    name: 'a list that holds no parts is data',
    before: task('{ status: { state: completed }, artifacts: [{ artifactId: a, content: [1, { b: 2 }] }] }'),
    after: task(
      '{ status: { state: completed }, artifacts: [{ artifactId: a, parts: [{ kind: data, data: [1, { b: 2 }] }] }] }',
    ),
  },
  {
    name: 'an artifact that holds two things, beside one that has its id',
    before: task(
      '{ status: { state: completed }, artifacts: [{ artifactId: artifact-2, parts: [] }, { text: t, content: u }] }',
    ),
    after: task(
      '{ status: { state: completed }, artifacts: [{ artifactId: artifact-2, parts: [] }, { artifactId: artifact-2-2, parts: [{ kind: text, text: t }, { kind: text, text: u }] }] }',
    ),
  },
  {
    name: 'artifacts that hold text or data',
    before: task(
      '{ status: { state: completed }, artifacts: [{ name: n, type: text/csv, content: "a,b" }, { artifactId: x, data: { a: 1 } }] }',
    ),
    after: task(
      '{ status: { state: completed }, artifacts: [{ name: n, artifactId: artifact-1, parts: [{ kind: text, text: "a,b", metadata: { mimeType: text/csv } }] }, { artifactId: x, parts: [{ kind: data, data: { a: 1 } }] }] }',
    ),
  },
  {
    name: 'as A2A has it',
    before: task('{ status: { state: completed, message: { role: agent } }, artifacts: [{ parts: [] }], message: x }'),
  },
  { name: 'a message', before: task('{ parts: [], message: x, status: completed }') },
  { name: 'nothing of the kind', before: task('{ status: 5, artifacts: [1] }') },
])
