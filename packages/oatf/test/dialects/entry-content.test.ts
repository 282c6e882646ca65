import { testState } from './translation-test.ts'

testState('D-007', 'mcp_server', [
  {
    name: 'an error beside its result',
    before: '{ tools: [{ name: a, responses: [{ content: { content: [] }, isError: true }] }] }',
    after: '{ tools: [{ name: a, responses: [{ content: { content: [], isError: true } }] }] }',
    at: ['tools', 0, 'responses', 0, 'isError'],
    says: '"isError" next to the content of a response is read as part of the content',
  },
  {
    name: 'an error beside a bare list',
    before: '{ tools: [{ name: a, responses: [{ content: [{ type: text, text: No. }], isError: false }] }] }',
    after:
      '{ tools: [{ name: a, responses: [{ content: { content: [{ type: text, text: No. }], isError: false } }] }] }',
  },
  {
    name: 'an error beside an answer of another name',
    before: '{ tools: [{ name: a, responses: [{ response: { content: [] }, isError: true }] }] }',
    after: '{ tools: [{ name: a, responses: [{ content: { content: [], isError: true } }] }] }',
  },
  {
    name: 'an error beside a bare list of another name',
    before: '{ tools: [{ name: a, responses: [{ response: [{ type: text, text: No. }], isError: true }] }] }',
    after:
      '{ tools: [{ name: a, responses: [{ content: { content: [{ type: text, text: No. }], isError: true } }] }] }',
  },
  {
    name: 'where it belongs',
    before: '{ tools: [{ name: a, responses: [{ content: { content: [], isError: true } }] }] }',
  },
  {
    name: 'said twice',
    before: '{ tools: [{ name: a, responses: [{ content: { isError: false }, isError: true }] }] }',
  },
  { name: 'no word for it', before: '{ tools: [{ name: a, responses: [{ content: 1, isError: "yes" }] }] }' },
])

testState('D-007', 'mcp_client', [
  {
    name: 'another name',
    before: '{ sampling_responses: [{ when: { x: y }, response: { role: assistant } }] }',
    after: '{ sampling_responses: [{ when: { x: y }, content: { role: assistant } }] }',
    at: ['sampling_responses', 0, 'response'],
  },
  { name: 'both', before: '{ sampling_responses: [{ response: 1, content: 2 }] }' },
])
