import { traceOf } from '@joust/report/components'
import type { TraceEntry } from '@joust/results'
import { expect, test } from 'vitest'
import { attackOf } from '../../../results/test/support/results.ts'
import { firstDifference, isChanged } from '../../src/client/compare-view.tsx'

const entry = (seq: number, content: TraceEntry['content']): TraceEntry => ({
  seq,
  at: '',
  elapsed_ms: seq,
  actor: 'a',
  mode: 'mcp_server',
  protocol: 'mcp',
  phase: 'p',
  direction: 'request',
  flow: 'in',
  surface: 'tools/call',
  content,
})
const made = (id: string, text: string) =>
  traceOf([entry(1, { id, at: `2026-01-0${id.length % 9}T00:00:00.000Z` }), entry(2, { text })])
const ids = ['1b1a0344-c857-43b7-9da3-1e6ffe867b3d', 'a6a124ab-9f87-4f0b-9bed-2657760e1a75'] as const

test('ids and times are not differences, but words are', () => {
  expect(firstDifference(made(ids[0], 'yes'), made(ids[1], 'yes'))).toBeUndefined()
  expect(firstDifference(made(ids[0], 'yes'), made(ids[1], 'no'))).toBe(1)
})

test('a longer trace differs where the shorter one ends', () => {
  expect(firstDifference(traceOf([entry(1, 'x')]), traceOf([entry(1, 'x'), entry(2, 'y')]))).toBe(1)
})

test('ids of the messages of an agent are not differences', () => {
  const ids = ['run-3281d3570721d996.0.1.j75rdt', 'run-e6d435b65962fe18.0.1.1jlzegn']
  const [left, right] = ids.map((id) => traceOf([entry(1, { parentMessageId: id })]))
  expect(firstDifference(left ?? traceOf([]), right ?? traceOf([]))).toBeUndefined()
})

test('an attack that one run omits and that does not apply in the other is no change', () => {
  const cells = (...words: (string | undefined)[]) => ({
    cells: words.map((word) => (word === undefined ? undefined : attackOf('one', word))),
  })
  expect(isChanged(cells(undefined, '-'))).toBe(false)
  expect(isChanged(cells('-', undefined))).toBe(false)
  expect(isChanged(cells(undefined, 'e'))).toBe(true)
  expect(isChanged(cells('n', 'e'))).toBe(true)
})
