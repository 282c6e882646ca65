import { describe, expect, test } from 'vitest'
import { findings, object, steps, testRule } from './harness.ts'

describe('target is object', () => {
  const agents = { text: { input: '{ type: string }' }, open: { input: '{}' }, object: {} }

  testRule('OPEN-14', 'type_mismatch', {
    valid: [
      // Without a mapping the whole input is passed on.
      { policy: steps('sequential', ['text']), agents },
      { policy: steps('sequential', ['open <- x: parent.input.x', 'object <- x: parent.input.x']), agents },
    ],
    invalid: [
      [
        { policy: steps('sequential', ['object <- x: parent.input.x', 'text <- x: parent.input.x']), agents },
        'execution_policy.config.steps[1].input_mapping',
      ],
      // An empty mapping is a mapping: the sub-agent gets {}.
      [{ policy: steps('parallel', ['text <- ']), agents }, 'execution_policy.config.agents[0].input_mapping'],
    ],
    message: 'an input_mapping creates an object, but the input of "text" is string',
  })
})

describe('target declares field', () => {
  const closed = '{ type: object, properties: { query: {} }, additionalProperties: false }'
  const map = (input: string, field: string) => ({
    policy: steps('sequential', [`a <- ${field}: parent.input.x`]),
    agents: { a: { input } },
  })
  const at = 'execution_policy.config.steps[0].input_mapping'

  testRule('OPEN-15', 'undeclared_field', {
    valid: [
      map(closed, 'query'),
      map('{ additionalProperties: { type: string } }', 'anything'),
      // OPEN-14 reports a target that is not an object.
      map('{ type: string }', 'query'),
    ],
    invalid: [
      [map(closed, 'qery'), `${at}.qery`],
      [map('{ type: object, properties: { old: false } }', 'old'), `${at}.old`],
      [
        {
          policy: steps('sequential', ['text <- x: parent.input.x', 'a <- query: parent.input.x, z: parent.input.x']),
          agents: { text: { input: '{ type: string }' }, a: { input: closed } },
        },
        'execution_policy.config.steps[1].input_mapping.z',
      ],
    ],
    message: 'the input of "a" does not allow "qery". Did you mean "query"?',
  })

  test('OPEN-15 is a warning for an open schema, with a low level if it declares nothing', () => {
    const [known] = findings('OPEN-15', 'undeclared_field', map(object('query: string'), 'qery'))
    expect(known).toMatchObject({ severity: 'warning', path: `${at}.qery` })
    expect(known).not.toHaveProperty('level')
    expect(findings('OPEN-15', 'undeclared_field', map('{ type: object }', 'x'))).toMatchObject([
      { severity: 'warning', level: 'info' },
    ])
  })
})

describe('mapping fits', () => {
  /** Maps the field `x` of the parent's input to the field `y` of a sub-agent. */
  const map = (source: string, target: string, required = { source: true, target: true }) => ({
    input: `{ type: object, properties: { x: ${source} }, required: [${required.source ? 'x' : ''}] }`,
    policy: steps('sequential', ['a <- y: parent.input.x']),
    agents: {
      a: { input: `{ type: object, properties: { y: ${target} }, required: [${required.target ? 'y' : ''}] }` },
    },
  })
  const at = 'execution_policy.config.steps[0].input_mapping.y'
  const list = (item: string, rest = '') => `{ type: array, items: { type: ${item} }${rest} }`

  testRule('P-14', 'type_mismatch', {
    valid: [
      map('{ type: string }', '{ type: string }'),
      map('{ type: string }', '{}'),
      map('{}', '{ type: string }'),
      map('{ type: integer }', '{ type: number }'),
      // 1.0 is both a number and an integer.
      map('{ type: number }', '{ type: integer }'),
      map('{ type: [string, "null"] }', '{ type: string }'),
      map('{ anyOf: [{ type: string }, { type: integer }] }', '{ type: integer }'),
      map(
        '{ type: object, properties: { a: { type: string } } }',
        '{ type: object, properties: { a: { type: integer } } }',
      ),
      map(list('string'), list('integer')),
      map('{ enum: [a, b] }', '{ enum: [b, c] }'),
      map('{ $ref: "#/$defs/none" }', '{ type: string }'),
      // A source that allows no value is not a mismatch.
      map('{ allOf: [{ type: string }, { type: integer }] }', '{ type: boolean }'),
      // OPEN-15 reports a closed target without the field.
      { ...map('{ type: string }', '{}'), agents: { a: { input: '{ type: object, additionalProperties: false }' } } },
      // Nothing is known about a sub-agent that could not be loaded.
      { ...map('{ type: string }', '{}'), space: '{ local_agents: [{ alias: a, source: x }] }', agents: {} },
    ],
    invalid: [
      [map('{ type: string }', '{ type: integer }'), at],
      [map('{ type: [string, "null"] }', '{ type: [integer, boolean] }'), at],
      [map('{ type: string }', '{ type: integer }', { source: false, target: true }), at],
      [map('{ type: string }', '{ type: integer }', { source: true, target: false }), at],
      [map('{ const: 5 }', '{ type: string }'), at],
      [map('{ enum: [a, b] }', '{ enum: [c] }'), at],
      [map(list('string', ', minItems: 1'), list('integer')), at],
      [map(object('a: string', 'a'), object('a: integer')), at],
      [map('{ type: object, additionalProperties: false }', object('a: string', 'a')), at],
      // P-16: a required field does not accept null, even where its type would.
      [map('{ type: "null" }', '{ type: [string, "null"] }'), at],
    ],
    message: 'parent.input.x is string, but must be integer',
  })

  test('P-14 is a warning if a run can succeed without the value', () => {
    const optional = { source: false, target: false }
    expect(findings('P-14', 'type_mismatch', map('{ type: string }', '{ type: integer }', optional))).toMatchObject([
      { severity: 'warning', path: at },
    ])
    const withDefault = map('{ type: string }', '{ type: integer, default: 5 }', { source: false, target: true })
    expect(findings('P-14', 'type_mismatch', withDefault)).toMatchObject([{ severity: 'warning' }])
  })

  test('P-14 names the part that does not match', () => {
    const nested = map(object('a: string', 'a'), object('a: integer'))
    expect(findings('P-14', 'type_mismatch', nested)[0]?.message).toBe(
      'parent.input.x.a is string, but must be integer',
    )
  })

  test('P-14 checks outputs of earlier steps and items of a batch', () => {
    const agents = { a: { output: object('n: integer', 'n') }, b: { input: object('s: string', 's') } }
    const sequence = { policy: steps('sequential', ['a', 'b <- s: a.output.n']), agents }
    expect(findings('P-14', 'type_mismatch', sequence)).toMatchObject([
      { severity: 'error', path: 'execution_policy.config.steps[1].input_mapping.s' },
    ])
    const batch = {
      input: '{ type: object, properties: { items: { type: array, items: { type: integer } } }, required: [items] }',
      policy: '{ id: agf.batch, config: { agent: b, input_mapping: { s: "parent.input.items.[]" } } }',
      agents,
    }
    expect(findings('P-14', 'type_mismatch', batch)).toMatchObject([{ severity: 'error' }])
  })

  test('P-14 continues after a matching field and an invalid expression', () => {
    const fields = 'a: parent.input.x, b: hello, c: gone.output.x, y: parent.input.x'
    const parts = { ...map('{ type: string }', '{ type: integer }'), policy: steps('sequential', [`a <- ${fields}`]) }
    expect(findings('P-14', 'type_mismatch', parts).map(({ path }) => path)).toEqual([at])
  })
})

describe('passed input', () => {
  const pass = (own: string, input: string) => ({
    input: own,
    policy: steps('sequential', ['a']),
    agents: { a: { input } },
  })
  const at = 'execution_policy.config.steps[0].agent'

  testRule('OPEN-23', 'type_mismatch', {
    valid: [
      pass(object('x: string'), object('x: string', 'x')),
      pass('{ type: string }', '{ type: string }'),
      pass('{}', object('x: string', 'x')),
      // P-14 checks mappings.
      { ...pass('{ type: string }', '{ type: object }'), policy: steps('sequential', ['a <- ']) },
    ],
    invalid: [
      [pass('{ type: string }', '{ type: object }'), at],
      [pass(object('x: string', 'x'), object('x: integer')), at],
      [pass('{ type: object, additionalProperties: false }', object('x: string', 'x')), at],
      [
        {
          input: '{ type: string }',
          policy:
            '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: a }], default_agent: b } }',
          agents: { a: { input: '{ type: string }' }, b: {} },
        },
        'execution_policy.config.default_agent',
      ],
    ],
    message: '"a" has no input_mapping and receives parent.input: parent.input is string, but must be object',
  })

  const passAlike = (own: string, input: string) => ({
    input: own,
    policy: steps('parallel', ['a']),
    agents: { a: { input } },
  })
  const first = 'execution_policy.config.agents[0].agent'

  testRule('OPEN-23', 'unresolved_field', {
    severity: 'warning',
    valid: [
      passAlike(object('x: string, y: string'), object('x: string, y: string', 'x, y')),
      passAlike(object('x: string'), object('y: string')),
      // A mismatch is already an error.
      passAlike('{ type: string }', object('x: string', 'x')),
    ],
    invalid: [
      [passAlike(object('x: string'), object('x: string, y: string', 'x, y')), first],
      [
        {
          input: object('x: string'),
          policy: steps('parallel', ['text', 'a']),
          agents: { text: { input: '{ type: string }' }, a: { input: object('y: string', 'y') } },
        },
        'execution_policy.config.agents[1].agent',
      ],
    ],
    message: '"a" has no input_mapping, and parent.input does not declare its required fields: "y"',
  })
})
