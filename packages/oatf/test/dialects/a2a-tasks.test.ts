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
    says: 'a task is sent in the form of A2A 0.3',
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
