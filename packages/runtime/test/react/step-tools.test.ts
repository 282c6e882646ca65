import { expect, test } from 'vitest'
import type { Callable } from '../../src/model/callable.ts'
import { buildStepTools } from '../../src/react/step-tools.ts'

const callable = (name: string, inputSchema = {}): Callable => ({
  name,
  names: [],
  kind: 'local',
  inputSchema,

  approval: { kind: 'tool', over: 'args' },
  invoke: async () => ({ content: null, isError: false }),
})

test('a schema without a type becomes an object schema', () => {
  const { tools } = buildStepTools([callable('a'), callable('b', { type: 'string' })], [], {}, false)
  expect(tools).toEqual([
    { type: 'function', name: 'a', inputSchema: { type: 'object' } },
    { type: 'function', name: 'b', inputSchema: { type: 'object' } },
  ])
})

test('client tools get unique names that providers accept', () => {
  const client = (name: string) => ({ name, inputSchema: {} })
  const offer = buildStepTools([callable('a')], [client('a'), client('show map!'), client('final_output')], {}, true)
  expect(offer.tools.map(({ name }) => name)).toEqual([
    'a',
    'client__a',
    'show_map_',
    'client__final_output',
    'final_output',
  ])
  expect(offer.clientTools.get('show_map_')?.name).toBe('show map!')
  expect(offer.callables.get('a')?.kind).toBe('local')
  expect(offer.clientTools.has('a')).toBe(false)
})
