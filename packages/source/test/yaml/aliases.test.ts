import { expect, test } from 'vitest'
import { type AliasUse, measureAliases } from '../../src/yaml/aliases.ts'
import { readEvents } from '../../src/yaml/yaml.ts'

function measure(text: string): AliasUse {
  const parsed = readEvents(text, 100)
  if ('error' in parsed) expect.unreachable(parsed.error.reason)
  return measureAliases(parsed.events, text)
}

test.each<[string, string, Partial<AliasUse>]>([
  ['no alias', 'a: [x, yz]', { nodes: 0, characters: 4, depth: 2 }],
  ['a scalar', 'xyz', { nodes: 0, characters: 3, depth: 0 }],
  ['an alias to a scalar, which adds no node', 'a: &x long\nb: *x', { nodes: 0, characters: 10, depth: 1 }],
  ['an alias to a list', 'a: &x [1, 2]\nb: *x', { nodes: 2, characters: 6, depth: 2 }],
  ['aliases of aliases', 'a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]', { nodes: 2 + 2 * 4, depth: 4 }],
  ['an anchor that is set again', 'a: &x [1, 2, 3]\nb: &x [4]\nc: *x', { nodes: 1 }],
  ['an anchor that is set again inside itself', 'a: &x [&x 1, 2, 3]\nc: *x', { nodes: 0 }],
  ['an alias without an anchor', 'a: *x', { nodes: 0, depth: 1 }],
  ['an empty node behind an anchor', 'a: &x\nb: *x', { nodes: 0 }],
])('measures %s', (_, text, expected) => {
  expect(measure(text)).toMatchObject({ kind: 'expands', ...expected })
})

test.each<[string, string, string, number]>([
  ['itself', '&x [*x]', 'x', 4],
  ['a parent', 'a: &top {b: {c: [1, *top]}}', 'top', 20],
  ['itself as a key', '&x {*x : 1}', 'x', 4],
])('finds an alias inside %s', (_, text, name, offset) => {
  expect(measure(text)).toEqual({ kind: 'cycle', name, offset })
})

test('exponential growth stays finite', () => {
  const lines = ['- &a0 [x]']
  for (let level = 1; level < 2000; level++) lines.push(`- &a${level} [*a${level - 1}, *a${level - 1}]`)
  expect(measure(lines.join('\n'))).toMatchObject({ nodes: Number.POSITIVE_INFINITY })
})
