import { expect, test } from 'vitest'
import { choice, constant, fields, list, open, text } from '../../src/bindings/shape.ts'
import { alternatives, followShape, pathsOf } from '../../src/bindings/shape-paths.ts'
import { wildcardSteps } from '../../src/primitives/resolve-wildcard-path.ts'

const shape = fields(
  { a: list(choice(fields({ kind: constant('x'), text }), fields({ kind: constant('y'), more: open }))) },
  { b: choice(text, list(text)), toString: text },
)
const reaches = (path: string, entry: 'lists' | 'anything' = 'lists') =>
  followShape(shape, wildcardSteps(path) ?? [], entry).length > 0

test.each(['', 'a', 'a[*]', 'a[*].text', 'a[*].more', 'a[*].more.any[*].thing', 'b', 'b[*]', 'toString'])(
  '%j exists',
  (path) => {
    expect(reaches(path)).toBe(true)
  },
)

test.each(['c', 'a.text', 'a[*].text.more', 'b.x', 'constructor', 'toString.x'])('%j is not', (path) => {
  expect(reaches(path)).toBe(false)
})

test('CEL runs over the keys of an object, targets do not', () => {
  expect(followShape(shape, ['each'], 'anything')).toEqual([{ kind: 'open' }])
  expect(followShape(shape, ['each'], 'lists')).toEqual([])
})

test('paths, shallow ones first', () => {
  expect(pathsOf(shape)).toEqual(['a', 'b', 'toString', 'a[*].kind', 'a[*].text', 'a[*].more'])
})

test('choices within choices are one', () => {
  expect(alternatives(choice(text, choice(open, constant('x'))))).toEqual([text, open, constant('x')])
})
