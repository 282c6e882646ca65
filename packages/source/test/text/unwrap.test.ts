import { expect, test } from 'vitest'
import { err, ok } from '../../src/model/result.ts'
import { InvalidInput, unwrap } from '../../src/text/unwrap.ts'

test('a value is returned', () => {
  expect(unwrap(ok(1))).toBe(1)
})

test('findings are thrown with their code frames', () => {
  const error = [
    { code: 'V-001', message: 'bad version', line: 2, column: 3, path: 'a' },
    { code: 'V-003', message: 'missing attack', path: 'attack' },
  ]
  const thrown = catching(() => unwrap(err(error), 'one\ntwo\nthree'))
  expect(thrown).toBeInstanceOf(InvalidInput)
  expect(thrown).toMatchObject({ error, name: 'InvalidInput' })
  expect(String(thrown)).toBe(`InvalidInput: 2:3 V-001: bad version
  1 | one
> 2 | two
    |   ^
  3 | three

attack V-003: missing attack`)
})

test('a finding of another file has its name and no code frame', () => {
  const error = [
    { message: 'here', file: 'a.yaml', line: 1, column: 2 },
    { message: 'there', file: 'b.yaml', line: 2, column: 1 },
    { message: 'nowhere', file: 'c.yaml' },
  ]
  const frame = 'a.yaml:1:2: here\n> 1 | one\n    |  ^\n  2 | two'
  const others = 'b.yaml:2:1: there\n\nc.yaml: nowhere'
  expect(catching(() => unwrap(err(error), 'one\ntwo', 'a.yaml'))).toMatchObject({ message: `${frame}\n\n${others}` })
  expect(catching(() => unwrap(err(error), 'one\ntwo'))).toMatchObject({ message: `a.yaml:1:2: here\n\n${others}` })
})

test.each([
  ['plain', 'plain'],
  [{ code: 'unusable', message: 'no folder' }, 'unusable: no folder'],
  [null, 'null'],
  [{}, 'invalid input'],
  [[], 'invalid input'],
  [
    { message: 'unknown field "a".', suggestion: { replace: 'key', with: 'b' } },
    'unknown field "a". Did you mean "b"?',
  ],
])('an error of another form is described: %j', (error, message) => {
  expect(catching(() => unwrap(err(error)))).toMatchObject({ message })
})

test.each<[unknown, string]>([
  [undefined, 'unwrap expects a result, got undefined'],
  [Promise.resolve(ok(1)), 'unwrap expects a result, got a promise; await it first'],
  [{ value: 1 }, 'unwrap expects a result, got a mapping'],
])('a value that is not a result is named: %j', (value, message) => {
  expect(catching(() => unwrap(value as ReturnType<typeof err>))).toMatchObject({ name: 'TypeError', message })
})

function catching(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}
