import { testTranslation } from './translation-test.ts'

testTranslation(
  'D-010',
  (phase) => ({ attack: { execution: { actors: [{ name: 'a', mode: 'mcp_client', phases: [phase] }] } } }),
  ['attack', 'execution', 'actors', 0, 'phases', 0],
  [
    {
      name: 'is left out',
      before: '{ name: p, await_extractors: [{ actor: b, extractors: [x] }], state: {} }',
      after: '{ name: p, state: {} }',
      at: ['await_extractors'],
      says: 'use a trigger to make a phase wait',
    },
    { name: 'a phase that does not wait', before: '{ name: p, state: { await_extractors: 1 } }' },
  ],
)
