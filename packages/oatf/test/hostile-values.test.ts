/** Values that only a program can make: thousands deep, or containing themselves. */
import { patchText, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import {
  applyEdits,
  type Document,
  lint,
  NotATree,
  normalize,
  serialize,
  translateDialects,
  validate,
} from '../src/index.ts'

function deep(levels: number): Value {
  let value: Value = 'x'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

function cyclic(): Value {
  const value: { a?: Value; b?: Value } = {}
  value.a = value as Value
  value.b = [value as Value, value as Value]
  return value as Value
}

/** Every part exists once in memory, but more often than can be counted in the tree. */
function shared(): Value {
  let value: Value = ['x']
  for (let level = 0; level < 60; level++) value = [value, value]
  return value
}

const around = (value: Value) => ({
  oatf: '0.1',
  attack: {
    name: 'x',
    'x-a': value,
    execution: { mode: 'mcp_server', state: { tools: [{ name: 'a', inputSchema: value }] } },
    indicators: [{ target: 'arguments', pattern: { contains: 'a' }, 'x-b': value }],
  },
})

const hostile: readonly (readonly [string, Value])[] = [
  ['5,000 deep', deep(5000)],
  ['100,000 deep', deep(100_000)],
  ['containing itself', cyclic()],
  ['sharing its parts', shared()],
]
const cases = hostile.flatMap(([name, value]) =>
  [value, around(value) as unknown as Value, { oatf: '0.1', attack: value }].map(
    (made, index) => [name, index, made] as const,
  ),
)

describe.each(cases)('a value %s, in place %i', (_, __, value) => {
  // What a program passes need not match the type.
  const document = value as unknown as Document

  test('validate and lint report it', () => {
    expect(validate(document).errors).toMatchObject([{ code: 'limit', message: expect.stringContaining('the value') }])
    expect(lint(document)).toMatchObject([{ severity: 'error', code: 'limit' }])
  })

  test('translations and edits leave it alone, patches refuse it', () => {
    const translated = translateDialects(value)
    expect(translated.value).toBe(value)
    expect(translated.translations).toMatchObject([{ severity: 'error', code: 'limit' }])
    expect(applyEdits(value, [{ op: 'set', path: ['oatf'], value: 1 }])).toBe(value)
    expect(patchText('a: 1\n', value)).toMatchObject({ ok: false })
  })

  test('normalize and serialize fail with the message of validate', () => {
    const [error] = validate(document).errors
    for (const attempt of [normalize, serialize]) {
      const thrown = thrownBy(() => attempt(document))
      expect(thrown).toBeInstanceOf(NotATree)
      expect(thrown).toMatchObject({ code: 'limit', message: error?.message })
    }
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (thrown) {
    return thrown
  }
}

test('values as deep as the limit are served', () => {
  const document = around(deep(490)) as unknown as Document
  expect(serialize(document)).toContain('inputSchema')
  expect(validate(document).errors).toEqual([])
})
