import { testState } from './translation-test.ts'

testState('D-004', 'mcp_client', [
  {
    name: 'a bare verb',
    before: '{ actions: [list_tools, ping] }',
    after: '{ actions: [{ method: tools/list }, { method: ping }] }',
    at: ['actions', 0],
    says: 'the action "list_tools" is read as a request "tools/list"',
  },
  {
    name: 'a verb with what goes with it',
    before: '{ actions: [{ call_tool: { name: add, arguments: { a: 1 } } }, { readResource: { uri: "x:y" } }] }',
    after:
      '{ actions: [{ method: tools/call, params: { name: add, arguments: { a: 1 } } }, { method: resources/read, params: { uri: "x:y" } }] }',
  },
  {
    name: 'a verb with nothing',
    before: '{ actions: [{ list_prompts: null }] }',
    after: '{ actions: [{ method: prompts/list }] }',
  },
  {
    name: 'a verb that just is, or says which one',
    before: '{ actions: [{ list_tools: true }, { read_resource: "file:///a" }, { get_prompt: greet }] }',
    after:
      '{ actions: [{ method: tools/list }, { method: resources/read, params: { uri: "file:///a" } }, { method: prompts/get, params: { name: greet } }] }',
  },
  { name: 'a method', before: '{ actions: [{ method: tools/list }, { method: call_tool }] }' },
  { name: 'an unknown verb', before: '{ actions: [dance, { dance: {} }, 1, null] }' },
  { name: 'two verbs', before: '{ actions: [{ list_tools: {}, call_tool: {} }] }' },
  { name: 'no list', before: '{ actions: list_tools }' },
])

testState('D-004', 'a2a_client', [
  {
    name: 'verbs of A2A',
    before: '{ actions: [get_agent_card, { get_task: { id: t } }] }',
    after: '{ actions: [{ method: agent_card/get }, { method: tasks/get, params: { id: t } }] }',
  },
])

testState('D-004', 'mcp_server', [{ name: 'a server has no actions', before: '{ actions: [list_tools] }' }])
