import { expect, test } from 'vitest'
import { applyEdits, type Edit, pathBefore, pathsAfter } from '../../src/dialects/edits.ts'

const value = { a: 1, b: { c: [{ d: 2 }, 3] }, e: 5 }

test.each<[string, Edit[], object]>([
  [
    'a value in the place of another',
    [{ op: 'set', path: ['b', 'c', 1], value: 4 }],
    { ...value, b: { c: [{ d: 2 }, 4] } },
  ],
  ['a new key comes last', [{ op: 'set', path: ['f'], value: 4 }], { ...value, f: 4 }],
  ['a new key ahead of another', [{ op: 'set', path: ['f'], value: 4, before: 'b' }], { a: 1, f: 4, b: value.b, e: 5 }],
  ['a new name in the same place', [{ op: 'move', from: ['b'], path: ['x'] }], { a: 1, x: value.b, e: 5 }],
  [
    'to somewhere else',
    [{ op: 'move', from: ['a'], path: ['b', 'c', 0, 'a'] }],
    { b: { c: [{ d: 2, a: 1 }, 3] }, e: 5 },
  ],
  [
    'out of a list, which keeps its items',
    [{ op: 'move', from: ['b', 'c', 0], path: ['f'] }],
    { ...value, f: { d: 2 } },
  ],
  ['into a mapping of its own', [{ op: 'move', from: ['a'], path: ['a', 'x'] }], { a: { x: 1 }, b: value.b, e: 5 }],
  ['there as well', [{ op: 'copy', from: ['b', 'c'], path: ['f'] }], { ...value, f: value.b.c }],
  ['gone', [{ op: 'remove', path: ['b'] }], { a: 1, e: 5 }],
  [
    'one after the other',
    [
      { op: 'set', path: ['f'], value: [{}] },
      { op: 'move', from: ['a'], path: ['f', 0, 'a'] },
    ],
    { b: value.b, e: 5, f: [{ a: 1 }] },
  ],
  [
    'nothing there',
    [
      { op: 'move', from: ['x'], path: ['y'] },
      { op: 'remove', path: ['a', 'b'] },
      { op: 'set', path: ['x', 'y'], value: 1 },
    ],
    value,
  ],
])('%s', (_, edits, expected) => {
  const before = JSON.stringify(value)
  const after = applyEdits(value, edits)
  expect(after).toEqual(expected)
  expect(Object.keys(after ?? {})).toEqual(Object.keys(expected))
  expect(JSON.stringify(value)).toBe(before)
})

test('no edits, no copy', () => {
  expect(applyEdits(value, [])).toBe(value)
})

test('a key that is a trap is a key', () => {
  const after = applyEdits({ a: 1 }, [{ op: 'move', from: ['a'], path: ['__proto__'] }])
  expect(Object.keys(after ?? {})).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(after)).toBe(Object.prototype)
})

const edits: Edit[] = [
  { op: 'set', path: ['list'], value: [{}], from: ['one'] },
  { op: 'move', from: ['one'], path: ['list', 0, 'content'] },
  { op: 'set', path: ['x'], value: { y: 1 } },
]

test.each([
  [
    ['list', 0, 'content', 'status', 'state'],
    ['one', 'status', 'state'],
  ],
  [['list', 0], ['one']],
  [['x', 'y'], ['x']],
  [
    ['other', 0],
    ['other', 0],
  ],
])('the way back from %s', (path, expected) => {
  expect(pathBefore(edits)(path)).toEqual(expected)
})

test.each([
  [
    ['one', 'status'],
    ['list', 0, 'content', 'status'],
  ],
  [
    ['other', 0],
    ['other', 0],
  ],
])('the way on from %s', (path, expected) => {
  expect(pathsAfter(edits)(path)).toEqual([expected])
})

test.each<[(string | number)[], (string | number)[][]]>([
  [
    ['many', 0, 'text'],
    [
      ['a', 0, 'x', 'text'],
      ['b', 0, 'x', 'text'],
    ],
  ],
  [
    ['many'],
    [
      ['a', 0, 'x'],
      ['b', 0, 'x'],
    ],
  ],
  [
    ['many', 7],
    [['a'], ['b']],
  ],
  [['lost'], [['lost']]],
])('the ways on from %s, which is at several places now', (path, expected) => {
  const copied: Edit[] = [
    ...['a', 'b'].flatMap((key): Edit[] => [
      { op: 'set', path: [key], value: [{}], from: ['many'] },
      { op: 'copy', from: ['many', 0], path: [key, 0, 'x'] },
    ]),
    { op: 'remove', path: ['many'] },
    { op: 'remove', path: ['lost'] },
  ]
  expect(pathsAfter(copied)(path)).toEqual(expected)
})
