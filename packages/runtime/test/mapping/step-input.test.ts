/** `input_mapping` in whole runs: P-05, P-06 and P-13 to P-18 with their codes. */
import type { InterfaceSchema } from '@joust/agentformat'
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { leaf, makeAgent, object } from '../support/agents.ts'
import { errorOf, outputOf } from '../support/run.ts'

const text = { type: 'string' }
const number = { type: 'number' }

/** A source whose output goes to a target through one expression; the target returns what it got. */
function flow(output: Value, declared: InterfaceSchema, target: InterfaceSchema, expression = 'source.output.field') {
  return makeAgent({
    policy: {
      id: 'agf.sequential',
      config: { steps: [{ agent: 'source' }, { agent: 'target', input_mapping: { field: expression } }] },
    },
    agents: { source: leaf(() => output, { output: declared }), target: leaf(({ input }) => input, { input: target }) },
  })
}

describe('path expressions at run time', () => {
  it.each([
    ['a value that fits', { field: 'x' }, object({ field: text }), object({ field: text }), { field: 'x' }],
    [
      'P-13: no coercion between number kinds',
      { field: 1.5 },
      object({ field: number }),
      object({ field: number }),
      { field: 1.5 },
    ],
    [
      'P-15: null is passed to an optional field',
      { field: null },
      {},
      object({ field: { type: ['string', 'null'] } }, []),
      { field: null },
    ],
    [
      'P-17: an absent value takes the default',
      {},
      object({ field: text }, []),
      object({ field: { ...text, default: 'd' } }),
      { field: 'd' },
    ],
    ['OPEN-9: absent and optional is left out', {}, object({ field: text }, []), object({ field: text }, []), {}],
    ['OPEN-8: an undeclared value that exists is used', { field: 'x' }, {}, object({ field: text }), { field: 'x' }],
  ] as [string, Value, InterfaceSchema, InterfaceSchema, Value][])(
    '%s',
    async (_, output, declared, target, expected) => {
      expect(await outputOf(flow(output, declared, target), null)).toEqual(expected)
    },
  )

  it.each([
    ['P-05: absent and undeclared', {}, {}, object({ field: text }, []), 'field_absent'],
    ['P-14: another type', { field: 1 }, {}, object({ field: text }), 'type_mismatch'],
    ['P-13: text is not a number', { field: '1' }, {}, object({ field: number }), 'type_mismatch'],
    [
      'P-16: null for a required field',
      { field: null },
      {},
      object({ field: { type: ['string', 'null'] } }),
      'null_for_required',
    ],
    ['P-18: absent and required', {}, object({ field: text }, []), object({ field: text }), 'missing_value'],
    ['OPEN-10: null against a type that has none', { field: null }, {}, object({ field: text }, []), 'type_mismatch'],
  ] as [string, Value, InterfaceSchema, InterfaceSchema, string][])('%s', async (_, output, declared, target, code) => {
    const error = await errorOf(flow(output, declared, target), null)
    expect(error).toMatchObject({ code, agent: [], details: [{ code, field: 'field' }] })
  })

  it('OPEN-11: only own properties count, and walking through a scalar is a type mismatch', async () => {
    const any = object({ field: {} }, [])
    expect((await errorOf(flow({}, {}, any, 'source.output.constructor'), null)).code).toBe('field_absent')
    expect((await errorOf(flow({}, {}, any, 'source.output.__proto__'), null)).code).toBe('field_absent')
    expect((await errorOf(flow({ a: 'text' }, {}, any, 'source.output.a.length'), null)).code).toBe('type_mismatch')
    expect((await errorOf(flow({ a: null }, {}, any, 'source.output.a.b'), null)).code).toBe('field_absent')
  })

  it.each([
    ['an expression that is none', 'source.field', 'invalid_path_expression'],
    ['OPEN-7: the output of the parent', 'parent.output.field', 'dependency_order'],
    ['P-03: a step that has not run', 'target.output.field', 'dependency_order'],
    ['P-11: a list outside of a batch', 'source.output.list.[]', 'type_mismatch'],
  ])('an agent that was built by hand, without loading: %s', async (_, expression, code) => {
    expect((await errorOf(flow({ list: [] }, {}, {}, expression), null)).code).toBe(code)
  })

  it('all problems of a mapping are reported at once', async () => {
    const agent = makeAgent({
      policy: {
        id: 'agf.sequential',
        config: { steps: [{ agent: 'target', input_mapping: { a: 'parent.input.x', b: 'parent.input.y' } }] },
      },
      agents: { target: leaf(() => 1, { input: object({ a: text, b: text }) }) },
    })
    const error = await errorOf(agent, { x: 1 })
    expect(error.details).toMatchObject([
      { field: 'a', code: 'type_mismatch' },
      { field: 'b', code: 'field_absent' },
    ])
  })
})
