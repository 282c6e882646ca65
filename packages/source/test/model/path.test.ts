import { expect, test } from 'vitest'
import { formatPath, type Path } from '../../src/model/path.ts'

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
