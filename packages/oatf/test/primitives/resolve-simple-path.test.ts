import type { Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import { resolveSimplePath } from '../../src/primitives/resolve-simple-path.ts'
import { deepRecord } from '../deep-value.ts'

const message: Value = {
  name: 'search',
  nothing: null,
  empty: '',
  zero: 0,
  off: false,
  arguments: { 'x-key': 'k', query: { text: 'hi' } },
  items: [{ id: 1 }],
  'dotted.key': 'unreachable',
  'a b': 'unreachable',
  'items[0]': 'unreachable',
  '': { '': 'unreachable' },
}

describe('resolveSimplePath', () => {
  test.each<[path: string, expected: Value]>([
    ['name', 'search'],
    ['arguments.query.text', 'hi'],
    ['arguments.x-key', 'k'],
    ['arguments.query', { text: 'hi' }],
    ['items', [{ id: 1 }]],
    ['', message],
  ])('%j resolves', (path, expected) => {
    expect(resolveSimplePath(path, message)).toEqual(expected)
  })

  test.each<[path: string, expected: Value]>([
    ['nothing', null],
    ['empty', ''],
    ['zero', 0],
    ['off', false],
  ])('%j resolves to a value that looks like nothing', (path, expected) => {
    expect(resolveSimplePath(path, message)).toBe(expected)
  })

  test.each([
    ['missing'],
    ['arguments.missing'],
    ['missing.deeper'],
    ['name.length'],
    ['nothing.x'],
    ['zero.toFixed'],
    ['items.id'],
    ['items.0'],
    ['items.length'],
    ['items[*]'],
    ['items[0]'],
    ['dotted.key'],
    ['a b'],
    ['.'],
    ['a..b'],
    ['.name'],
    ['name.'],
    ['__proto__'],
    ['constructor'],
    ['constructor.name'],
    ['toString'],
    ['arguments.hasOwnProperty'],
  ])('%j does not resolve', (path) => {
    expect(resolveSimplePath(path, message)).toBeUndefined()
  })

  test.each<[Value]>([[null], [true], [7], ['text'], [[1]]])(
    'a field of %j does not resolve, the root does',
    (value) => {
      expect(resolveSimplePath('field', value)).toBeUndefined()
      expect(resolveSimplePath('', value)).toBe(value)
    },
  )

  test('own keys with prototype names are keys like any other', () => {
    expect(resolveSimplePath('__proto__.x', JSON.parse('{"__proto__": {"x": 1}}'))).toBe(1)
    expect(resolveSimplePath('constructor', { constructor: 'own' })).toBe('own')
  })

  test('a path of more names than the limit is not followed', () => {
    const onError = vi.fn()
    const at = (depth: number) => resolveSimplePath(Array(depth).fill('a').join('.'), deepRecord(depth), { onError })
    expect(at(128)).toBe('core')
    expect(onError).not.toHaveBeenCalled()
    expect(at(129)).toBeUndefined()
    const message = 'a path over the limit dotPathDepth = 128 (129)'
    expect(onError.mock.calls).toEqual([[{ kind: 'path_resolution', message, limit: 'dotPathDepth' }]])
    expect(resolveSimplePath('a.b', { a: { b: 1 } }, { limits: { dotPathDepth: 1 } })).toBeUndefined()
  })
})
