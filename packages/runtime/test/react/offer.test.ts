import { expect, test } from 'vitest'
import type { Callable } from '../../src/model/callable.ts'
import { makeOffer } from '../../src/react/offer.ts'

const callable = (name: string, inputSchema = {}): Callable => ({
  name,
  names: [],
  kind: 'local',
  inputSchema,

  approval: { kind: 'tool', over: 'args' },
  invoke: async () => ({ content: null, isError: false }),
})

test('a schema without a type is one of an object', () => {
  const { tools } = makeOffer([callable('a'), callable('b', { type: 'string' })], [], {}, false)
  expect(tools).toEqual([
    { type: 'function', name: 'a', inputSchema: { type: 'object' } },
    { type: 'function', name: 'b', inputSchema: { type: 'object' } },
  ])
})

test('tools of the client give way to names that are taken, and get names that providers take', () => {
  const client = (name: string) => ({ name, inputSchema: {} })
  const offer = makeOffer([callable('a')], [client('a'), client('show map!'), client('final_output')], {}, true)
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
