import { expect, test } from 'vitest'
import { findings, object, steps, testRule } from '../harness.ts'

const mixed = { text: { output: '{ type: string }' }, open: { output: '{}' }, object: {} }

testRule('OPEN-27', 'type_mismatch', {
  valid: [
    { policy: steps('parallel', ['open', 'object']), agents: mixed },
    { policy: steps('parallel', ['text'], 'output_from: first'), agents: mixed },
  ],
  invalid: [
    [{ policy: steps('parallel', ['object', 'text']), agents: mixed }, 'execution_policy.config.agents[1].agent'],
    [
      { policy: steps('loop', ['text'], 'output_from: merge'), agents: mixed },
      'execution_policy.config.steps[0].agent',
    ],
  ],
  message: 'only objects can be merged, but the output of "text" is string',
})

const agents = {
  a: { output: object('summary: string, score: number') },
  b: { output: object('score: number, title: string') },
  c: { output: object('other: string') },
}

testRule('OPEN-26', 'merge_conflict', {
  severity: 'warning',
  valid: [
    { policy: steps('parallel', ['a', 'c']), agents },
    { policy: steps('parallel', ['a', 'b'], 'output_from: last'), agents },
    { policy: steps('sequential', ['a', 'b']), agents },
  ],
  invalid: [
    [{ policy: steps('parallel', ['a', 'b']), agents }, 'execution_policy.config.agents[1].agent'],
    [
      { policy: steps('sequential', ['a', 'b'], 'output_from: { strategy: merge }'), agents },
      'execution_policy.config.steps[1].agent',
    ],
    [{ policy: steps('parallel', ['c', 'c']), agents }, 'execution_policy.config.agents[1].agent'],
  ],
  message: 'the merge fails if outputs have different values for "score", also declared by "a"',
})

test('OPEN-28: in a sequence every run of a repeated alias is merged', () => {
  const repeated = { policy: steps('sequential', ['c', 'a', 'c'], 'output_from: merge'), agents }
  expect(findings('OPEN-26', 'merge_conflict', repeated)).toMatchObject([
    {
      path: 'execution_policy.config.steps[2].agent',
      message: expect.stringContaining('"other", also declared by "c"'),
    },
  ])
})
