import { expect, test } from 'vitest'
import { selectOutput } from '../../src/policies/output-from.ts'

test.each([
  [undefined, { kind: 'strategy', strategy: 'merge' }],
  ['last', { kind: 'strategy', strategy: 'last' }],
  ['writer', { kind: 'agent', alias: 'writer' }],
  [{ agent: 'last' }, { kind: 'agent', alias: 'last' }],
  [{ agent: '' }, { kind: 'agent', alias: '' }],
  [{ strategy: 'first', description: 'the draft' } as const, { kind: 'strategy', strategy: 'first' }],
  [{ custom_transform: 'acme.join' }, { kind: 'custom_transform', name: 'acme.join' }],
])('OPEN-29: output_from %j', (from, selection) => {
  expect(selectOutput(from, 'merge')).toEqual(selection)
})
