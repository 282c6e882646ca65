import { describe, expect, test } from 'vitest'
import { findings, object, steps, testRule } from './harness.ts'

describe('output agent', () => {
  const agents = { writer: {}, editor: {}, last: {} }
  const at = 'execution_policy.config.output_from'

  testRule('OPEN-29', 'invalid_output_from', {
    valid: [
      { policy: steps('sequential', ['writer'], 'output_from: writer'), agents },
      { policy: steps('sequential', ['writer', 'writer'], 'output_from: { agent: writer }'), agents },
      // A keyword is a strategy; the object form reaches the agent of that name.
      { policy: steps('sequential', ['writer'], 'output_from: last'), agents },
      { policy: steps('sequential', ['last'], 'output_from: { agent: last }'), agents },
      { policy: steps('loop', ['writer'], 'output_from: { custom_transform: acme.join }'), agents },
    ],
    invalid: [
      [{ policy: steps('sequential', ['writer'], 'output_from: writr'), agents }, at],
      [{ policy: steps('sequential', ['writer'], 'output_from: editor'), agents }, at],
      [{ policy: steps('sequential', ['writer'], 'output_from: { agent: "" }'), agents }, at],
      [{ policy: steps('parallel', ['writer', 'writer'], 'output_from: writer'), agents }, at],
    ],
    message: 'no step runs "writr". Did you mean "writer"?',
  })
})

describe('output fits', () => {
  const agents = {
    text: { output: '{ type: string }' },
    object: { output: object('n: integer', 'n') },
    open: { output: '{}' },
  }
  const config = 'execution_policy.config'

  testRule('R-37', 'type_mismatch', {
    valid: [
      { output: '{ type: string }', policy: steps('sequential', ['object', 'text']), agents },
      { output: '{ type: string }', policy: steps('sequential', ['text', 'open']), agents },
      {
        output: object('n: number', 'n'),
        policy: steps('sequential', ['text', 'object', 'text'], 'output_from: object'),
        agents,
      },
      {
        output: '{ type: string }',
        policy: steps('parallel', ['object'], 'output_from: { custom_transform: a.b }'),
        agents,
      },
      {
        output: '{ type: array }',
        policy: '{ id: agf.batch, config: { agent: text, input_mapping: { x: "parent.input.y.[]" } } }',
        agents,
      },
    ],
    invalid: [
      [{ output: '{ type: object }', policy: steps('sequential', ['object', 'text']), agents }, config],
      [
        { output: '{ type: string }', policy: steps('loop', ['object', 'text'], 'output_from: first'), agents },
        `${config}.output_from`,
      ],
      [{ output: '{ type: string }', policy: steps('parallel', ['object']), agents }, config],
      [
        {
          output: object('n: string', 'n'),
          policy:
            '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: object }], default_agent: open } }',
          agents,
        },
        `${config}.routes[0].agent`,
      ],
    ],
    message: 'text.output is string, but must be object',
  })

  test('R-37 names the part of the result that does not match', () => {
    const nested = { output: object('n: string', 'n'), policy: steps('sequential', ['object']), agents }
    expect(findings('R-37', 'type_mismatch', nested)[0]?.message).toContain(
      'object.output.n is integer, but must be string',
    )
  })
})

describe('merged outputs', () => {
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
})
