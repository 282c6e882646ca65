import { expect, test } from 'vitest'
import { responseListKeys } from '../../src/model/response-lists.ts'

test('the dispatch lists that the bindings define', () => {
  expect(responseListKeys).toEqual([
    'responses',
    'sampling_responses',
    'elicitation_responses',
    'task_responses',
    'tool_responses',
  ])
})
