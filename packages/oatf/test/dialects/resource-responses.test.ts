import { testState } from './translation-test.ts'

testState('D-008', 'mcp_server', [
  {
    name: 'a result',
    before: '{ resources: [{ uri: "x:y", name: a, responses: [{ contents: [{ uri: "x:y", text: Hi. }] }] }] }',
    after: '{ resources: [{ uri: "x:y", name: a, content: { text: Hi. } }] }',
    at: ['resources', 0, 'responses'],
  },
  {
    name: 'a content',
    before: '{ resources: [{ uri: "x:y", responses: [{ content: { contents: [{ blob: aGk= }] } }] }] }',
    after: '{ resources: [{ uri: "x:y", content: { blob: aGk= } }] }',
  },
  {
    name: 'as short as can be',
    before: '{ resources: [{ uri: "x:y", responses: [{ text: Hi. }] }] }',
    after: '{ resources: [{ uri: "x:y", content: { text: Hi. } }] }',
  },
  { name: 'with a content', before: '{ resources: [{ content: { text: a }, responses: [{ text: b }] }] }' },
  { name: 'a choice', before: '{ resources: [{ responses: [{ when: { x: y }, text: a }, { text: b }] }] }' },
  { name: 'nothing in it', before: '{ resources: [{ responses: [{ content: 1 }] }, { responses: [] }] }' },
])
