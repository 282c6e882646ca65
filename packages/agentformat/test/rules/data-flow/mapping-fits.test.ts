import { expect, test } from 'vitest'
import { findings, object, steps, testRule } from '../harness.ts'

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
  expect(findings('P-14', 'type_mismatch', nested)[0]?.message).toBe('parent.input.x.a is string, but must be integer')
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
