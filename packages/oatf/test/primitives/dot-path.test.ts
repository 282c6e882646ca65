import { describe, expect, test } from 'vitest'
import { isSimplePath, isWildcardPath } from '../../src/primitives/dot-path.ts'

// SDK §5.1.1 and §5.1.2: text, whether it is a simple path, whether it is a wildcard path.
const paths: [path: string, simple: boolean, wildcard: boolean][] = [
  ['', true, true],
  ['name', true, true],
  ['arguments.command', true, true],
  ['headers.x-api-key', true, true],
  ['a_b.C-9.0', true, true],
  ['0', true, true],
  ['tools[*]', false, true],
  ['tools[*].description', false, true],
  ['a[*].b[*].c[*]', false, true],
  ['tools[0]', false, false],
  ['tools[*', false, false],
  ['tools*]', false, false],
  ['tools[*][*]', false, false],
  ['[*]', false, false],
  ['a.[*]', false, false],
  ['tools[*]name', false, false],
  ['a..b', false, false],
  ['.a', false, false],
  ['a.', false, false],
  ['.', false, false],
  ['a b', false, false],
  [' a', false, false],
  ['a\n', false, false],
  ['straße', false, false],
  ['$.a', false, false],
  ['a/b', false, false],
]

describe('dot-path grammar', () => {
  test.each(paths)('%j: simple %s, wildcard %s', (path, simple, wildcard) => {
    expect(isSimplePath(path)).toBe(simple)
    expect(isWildcardPath(path)).toBe(wildcard)
  })

  test('a very long path is read, not choked on', () => {
    const path = 'a.'.repeat(1_000_000)
    expect(isSimplePath(path)).toBe(false)
    expect(isSimplePath(`${path}b`)).toBe(true)
    expect(isWildcardPath('a[*].'.repeat(500_000))).toBe(false)
  })
})
