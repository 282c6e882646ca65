import { expect, test } from 'vitest'
import { formatPath, type Path, valueAt } from '../../src/model/path.ts'

test.each<[Path, string]>([
  [[], ''],
  [['a'], 'a'],
  [['attack', 'indicators', 0, 'pattern', 'regex'], 'attack.indicators[0].pattern.regex'],
  [[0, 1], '[0][1]'],
  [[0, 'a'], '[0].a'],
  [['a.b', 'c d'], 'a.b.c d'],
  [['', 'a'], '.a'],
  [['a', ''], 'a.'],
  [['__proto__', 'x'], '__proto__.x'],
])('%j is %j', (path, text) => expect(formatPath(path)).toBe(text))

test('valueAt follows only own properties and items', () => {
  const value = { tools: [{ name: 'search' }], '0': 'key' }
  expect(valueAt(value, [])).toBe(value)
  expect(valueAt(value, ['tools', 0, 'name'])).toBe('search')
  expect(valueAt(value, ['0'])).toBe('key')
  for (const path of [[0], ['tools', '0'], ['tools', 1], ['tools', 'length'], ['toString'], ['tools', 0, 'name', 'x']])
    expect(valueAt(value, path)).toBeUndefined()
})
