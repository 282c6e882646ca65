import { expect, test } from 'vitest'
import { findCycles } from '../../src/sources/find-cycles.ts'
import type { GraphDocument } from '../../src/sources/read-graph.ts'

function graph(edges: { readonly [id: string]: readonly string[] }): Map<string, GraphDocument> {
  return new Map(
    Object.entries(edges).map(([id, targets]) => {
      const references = targets.map((target) => ({ alias: target, id: target, path: [] }))
      return [id, { id, diagnostics: [], references }]
    }),
  )
}
const cycles = (edges: { readonly [id: string]: readonly string[] }) =>
  findCycles(graph(edges)).map(({ ids }) => ids.join(' '))

test('OPEN-45: shared nodes are not a cycle', () => {
  expect(cycles({ a: ['b', 'c', 'b'], b: ['d'], c: ['d'], d: [] })).toEqual([])
})

test('OPEN-45: every reference that closes a cycle is found', () => {
  expect(cycles({ a: ['a'] })).toEqual(['a'])
  expect(cycles({ a: ['b'], b: ['c', 'b'], c: ['a'] })).toEqual(['a b c', 'b'])
  expect(cycles({ a: ['b'], b: ['missing'] })).toEqual([])
})

test('a long chain does not exhaust the stack', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [`n${index}`, [`n${(index + 1) % 50_000}`]]),
  )
  expect(cycles(chain)).toHaveLength(1)
})
