import { expect, test } from 'vitest'
import { translateDialects } from '../../src/dialects/translate.ts'
import { read, testState } from './translation-test.ts'

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
  {
    name: 'with a type, and an address of its own',
    before:
      '{ resources: [{ uri: "x:y", responses: [{ contents: [{ uri: "x:z", mimeType: text/markdown, text: Hi. }] }] }] }',
    after: '{ resources: [{ uri: "x:y", content: { uri: "x:z", mimeType: text/markdown, text: Hi. } }] }',
  },
  {
    name: 'several contents',
    before:
      '{ resources: [{ uri: "x:y", responses: [{ contents: [{ uri: "x:y", text: a }, { uri: "x:z", text: b }] }] }] }',
    after: '{ resources: [{ uri: "x:y", content: [{ text: a }, { uri: "x:z", text: b }] }] }',
  },
  { name: 'nothing in it', before: '{ resources: [{ responses: [{ content: 1 }] }, { responses: [] }] }' },
])

test.each([
  ['a choice', '[{ when: { x: y }, text: a }, { text: b }]'],
  ['a condition', '[{ when: { x: y }, text: a }]'],
])('%s is reported and not changed', (_, responses) => {
  const document = read(
    `{ attack: { execution: { mode: mcp_server, state: { resources: [{ uri: "x:y", responses: ${responses} }] } } } }`,
  )
  const { value, translations } = translateDialects(document)
  expect(value).toEqual(document)
  expect(translations).toMatchObject([{ code: 'D-008', message: expect.stringContaining('has several entries') }])
})
