import { testState, testTranslation } from './translation-test.ts'

testState('D-011', 'ag_ui_client', [
  {
    name: 'every message has one, and none twice',
    before:
      '{ run_agent_input: { messages: [{ role: user, content: a }, { id: default-phase-1-3, role: user }, { content: c }] } }',
    after:
      '{ run_agent_input: { messages: [{ id: default-phase-1-1, role: user, content: a }, { id: default-phase-1-3, role: user }, { content: c, id: default-phase-1-3-2 }] } }',
    at: ['run_agent_input', 'messages', 0],
    says: 'a message without an id is sent with a generated id',
  },
  {
    name: 'an id that is none',
    before: '{ run_agent_input: { messages: [{ id: "" }, { id: null }] } }',
    after: '{ run_agent_input: { messages: [{ id: default-phase-1-1 }, { id: default-phase-1-2 }] } }',
  },
  { name: 'an id', before: '{ run_agent_input: { messages: [{ id: a }, { id: 0 }] } }' },
  { name: 'no messages', before: '{ run_agent_input: { messages: [1, a] } }' },
])

testTranslation(
  'D-011',
  (phases) => ({ attack: { execution: { actors: [{ name: 'user', mode: 'ag_ui_client', phases }] } } }),
  ['attack', 'execution', 'actors', 0, 'phases'],
  [
    {
      name: 'ids tell actors, phases and entry actions apart',
      before: `
- { name: first, state: { run_agent_input: { messages: [{ role: user }] } } }
- { state: { run_agent_input: { messages: [{ role: user }] } }, on_enter: [{ send: { method: run_agent_input, params: { messages: [{ role: user }] } } }] }`,
      after: `
- { name: first, state: { run_agent_input: { messages: [{ id: user-first-1, role: user }] } } }
- { state: { run_agent_input: { messages: [{ id: user-phase-2-1, role: user }] } }, on_enter: [{ send: { method: run_agent_input, params: { messages: [{ id: user-phase-2-entry-1-1, role: user }] } } }] }`,
    },
  ],
)

testState('D-011', 'mcp_client', [
  { name: 'another protocol', before: '{ run_agent_input: { messages: [{ role: user }] } }' },
])
