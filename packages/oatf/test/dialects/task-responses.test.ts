import { testState } from './translation-test.ts'

testState('D-006', 'a2a_server', [
  {
    name: 'the one task',
    before: '{ task_response: { status: { state: completed } } }',
    after: '{ task_responses: [{ content: { status: { state: completed } } }] }',
    at: ['task_response'],
    says: '"task_response" is read as the only entry of "task_responses"',
  },
  {
    name: 'a bare task',
    before: '{ agent_card: {}, task: { status: completed } }',
    after: '{ agent_card: {}, task_responses: [{ content: { status: completed } }] }',
  },
  {
    name: 'an entry that is one already',
    before: '{ task_response: { content: { status: completed } } }',
    after: '{ task_responses: [{ content: { status: completed } }] }',
  },
  {
    name: 'entries that are tasks; what is not of a task stays',
    before: '{ task_responses: [{ when: { x: y }, status: completed, messages: [{ role: agent }] }, { content: 1 }] }',
    after:
      '{ task_responses: [{ when: { x: y }, content: { status: completed, messages: [{ role: agent }] } }, { content: 1 }] }',
    at: ['task_responses', 0],
  },
  { name: 'beside the list', before: '{ task_responses: [], task: { status: completed } }' },
  { name: 'an entry with nothing', before: '{ task_responses: [{ when: { x: y } }, 1, null] }' },
  { name: 'reserved', before: '{ task_responses: [{ synthesize: { prompt: x }, status: completed }] }' },
])
