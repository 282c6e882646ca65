import { testState } from './translation-test.ts'

testState('D-013', 'ag_ui_client', [
  {
    name: 'a key is the description, a value a text',
    before: '{ run_agent_input: { context: [{ key: revenue, value: { total: 12 } }] } }',
    after: `{ run_agent_input: { context: [{ description: revenue, value: '{"total":12}' }] } }`,
    at: ['run_agent_input', 'context', 0],
    says: 'a "description" and a "value" that are strings',
  },
  {
    name: 'no description, no value, no mapping',
    before: '{ run_agent_input: { context: [{ value: x }, { name: n, content: y }, z] } }',
    after:
      '{ run_agent_input: { context: [{ description: context, value: x }, { description: n, value: y }, { description: context, value: z }] } }',
  },
  {
    name: 'a value that is not there',
    before: '{ run_agent_input: { context: [{ description: d }] } }',
    after: "{ run_agent_input: { context: [{ description: d, value: '' }] } }",
  },
  { name: 'an item', before: '{ run_agent_input: { context: [{ description: d, value: v, key: k }, 1] } }' },
])
