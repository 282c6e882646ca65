import { testState } from './translation-test.ts'

testState('D-017', 'mcp_server', [
  {
    name: 'only those of clients',
    before: '{ capabilities: { sampling: {}, roots: {} }, tools: [{ name: a }] }',
    after: '{ tools: [{ name: a }] }',
    at: ['capabilities', 'sampling'],
  },
  { name: 'also its own', before: '{ capabilities: { sampling: {}, tools: {} }, tools: [{ name: a }] }' },
  { name: 'none at all', before: '{ capabilities: {}, tools: [{ name: a }] }' },
  { name: 'nothing to declare', before: '{ capabilities: { sampling: {} }, tools: [] }' },
])
