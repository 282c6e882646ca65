import { testRule } from '../harness.ts'

const phases = (...items: string[]) => `attack: { execution: { phases: [${items.join(', ')}] } }`

testRule('V-038', {
  valid: [phases('{}'), phases('{ extractors: [{}] }'), 'attack: { execution: { state: { extractors: [] } } }'],
  invalid: [
    [phases('{ extractors: [] }'), 'attack.execution.phases[0].extractors'],
    [phases('{}', '{ extractors: null }'), 'attack.execution.phases[1].extractors'],
    [phases('{ extractors: {} }'), 'attack.execution.phases[0].extractors'],
    [
      'attack: { execution: { actors: [{}, { phases: [{}, { extractors: [] }] }] } }',
      'attack.execution.actors[1].phases[1].extractors',
    ],
  ],
  message: 'expected at least one entry, got an empty list',
})
