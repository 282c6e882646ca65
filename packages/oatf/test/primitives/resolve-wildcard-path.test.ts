import { formatPath, type Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import { pathTo, resolveSteps, resolveWildcardPath, wildcardSteps } from '../../src/primitives/resolve-wildcard-path.ts'
import { deepRecord } from '../deep-value.ts'

const message: Value = {
  tools: [
    { name: 'a', tags: ['x', 'y'] },
    { name: null, tags: [] },
    'not a tool',
    { tags: ['z'] },
    { name: ['list'], tags: 'none' },
  ],
  capabilities: { tools: { listChanged: true } },
  empty: [],
  grid: [[1, 2], [3]],
}

describe('resolveWildcardPath', () => {
  test.each<[path: string, expected: Value[]]>([
    ['', [message]],
    ['capabilities.tools', [{ listChanged: true }]],
    ['tools[*].name', ['a', null, ['list']]],
    ['tools[*].tags[*]', ['x', 'y', 'z']],
    ['tools[*].tags', [['x', 'y'], [], ['z'], 'none']],
    ['grid[*]', [[1, 2], [3]]],
    ['empty', [[]]],
    ['empty[*]', []],
    ['capabilities[*]', []],
    ['capabilities.tools[*]', []],
    ['tools.name', []],
    ['tools[*].name.first', []],
    ['missing', []],
    ['missing[*].x', []],
    ['tools[0].name', []],
    ['tools[*', []],
    ['tools..name', []],
    ['[*]', []],
    ['constructor', []],
    ['tools[*].__proto__', []],
    ['tools.length', []],
  ])('%j', (path, expected) => {
    expect(resolveWildcardPath(path, message)).toEqual(expected)
  })

  test.each<[Value]>([[null], [0], ['text'], [false], [[]]])('the empty path of %j is the root', (value) => {
    expect(resolveWildcardPath('', value)).toEqual([value])
  })

  test('a wide array neither overflows nor slows down', () => {
    const items = Array.from({ length: 300_000 }, (_, id) => ({ id }))
    expect(resolveWildcardPath('items[*].id', { items })).toHaveLength(300_000)
  })

  test('a path of more names than the limit is not followed', () => {
    const onError = vi.fn()
    const at = (depth: number) => resolveWildcardPath(Array(depth).fill('a').join('.'), deepRecord(depth), { onError })
    expect(at(128)).toEqual(['core'])
    expect(onError).not.toHaveBeenCalled()
    expect(at(5000)).toEqual([])
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ limit: 'dotPathDepth' }))
  })
})

describe('the path to a value', () => {
  test.each([
    ['tools[*].tags[*]', ['tools[0].tags[0]', 'tools[0].tags[1]', 'tools[3].tags[0]']],
    ['capabilities.tools', ['capabilities.tools']],
    ['', ['']],
  ])('%j', (path, expected) => {
    const found = resolveSteps(wildcardSteps(path), message)
    expect(found.map((resolved) => formatPath(pathTo(resolved)))).toEqual(expected)
  })

  test('a text that is not a path has no steps', () => {
    expect(wildcardSteps('tools[1]')).toBeUndefined()
    expect(resolveSteps(undefined, message)).toEqual([])
  })
})
