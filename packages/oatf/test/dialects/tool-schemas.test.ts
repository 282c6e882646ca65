import { testState } from './translation-test.ts'

testState('D-018', 'mcp_server', [
  {
    name: 'none at all',
    before: '{ tools: [{ name: a, outputSchema: {}, responses: [] }, { name: b, inputSchema: { type: object } }] }',
    after:
      '{ tools: [{ name: a, outputSchema: {}, inputSchema: { type: object }, responses: [] }, { name: b, inputSchema: { type: object } }] }',
    at: ['tools', 0],
  },
  {
    name: 'one without a type',
    before: '{ tools: [{ name: a, inputSchema: { properties: { q: { type: string } } } }] }',
    after: '{ tools: [{ name: a, inputSchema: { properties: { q: { type: string } }, type: object } }] }',
    at: ['tools', 0, 'inputSchema'],
  },
  { name: 'one whose key is misspelled', before: '{ tools: [{ name: a, input_schema: { type: object } }] }' },
  { name: 'another type', before: '{ tools: [{ name: a, inputSchema: { type: array } }] }' },
  { name: 'not a schema', before: '{ tools: [{ name: a, inputSchema: none }, 7] }' },
])
