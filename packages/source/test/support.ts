/** Shared by the tests of this package: values to try, and ways to inspect them. */
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  type Limits,
  type Path,
  readSource,
  type Source,
  type SourceDiagnostic,
  setOwn,
  type Value,
} from '../src/index.ts'

/** Reads a text that must be readable. */
export function read(text: string, limits?: Limits): Source {
  const result = readSource(text, limits)
  if (!result.ok) expect.unreachable(`unreadable: ${JSON.stringify(result.error)}`)
  return result.value
}

/** Reads a text that must not be readable, and returns its one finding. */
export function refusal(text: string, limits?: Limits): SourceDiagnostic | undefined {
  const result = readSource(text, limits)
  if (result.ok) expect.unreachable(`readable: ${JSON.stringify(result.value.value).slice(0, 200)}`)
  expect(result.error).toHaveLength(1)
  return result.error[0]
}

/** The text at a location, up to its end or the end of its line. */
export function textAt(text: string, at: { line: number; column: number; end_column?: number }): string {
  const line = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)[at.line - 1] ?? ''
  return line.slice(at.column - 1, at.end_column === undefined ? undefined : at.end_column - 1)
}

/** An object with own keys of any name. */
export function record(entries: Iterable<readonly [string, Value]>): { [key: string]: Value } {
  const built = {}
  for (const [key, value] of entries) setOwn(built, key, value)
  return built
}

/** An array in an array in an array …, `levels` of them. */
export function nested(levels: number, innermost: Value = 0): Value {
  let value = innermost
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Every scalar and every empty collection of a value with its path. */
export function* leaves(value: Value, path: Path = []): Generator<{ path: Path; value: Value }> {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (children.length === 0) yield { path, value }
  for (const [key, child] of children) yield* leaves(child, [...path, Array.isArray(value) ? Number(key) : key])
}

const nasty = fc.constantFrom(
  ...[
    '',
    ' ',
    '-',
    '---',
    '...',
    '#',
    ' # no',
    'a # b',
    'a: b',
    ': ',
    '? ',
    '{{x}}',
    '[',
    '}',
    '&a',
    '*a',
    '!t',
    '<<',
    '~',
  ],
  ...[
    'null',
    'True',
    'yes',
    '1',
    '01',
    '0x10',
    '1e3',
    '1e400',
    '.inf',
    '-.INF',
    '.nan',
    '2020-01-01',
    '=',
    '%YAML',
    '@a',
    '`',
  ],
  ...[
    '"',
    "'",
    '\\',
    'a\nb',
    '\na\n\n',
    ' a\n  b',
    'a\n ',
    'a\r\nb',
    '\t',
    'tab\tin',
    '\u0000',
    '\u001b[31m',
    '\u0085',
    '\u00a0',
  ],
  ...[
    '\u2028',
    '\ufeff',
    '\ud800',
    '\udc00x',
    '\u{1f600}',
    '\uff5e',
    'ключ',
    '__proto__',
    'constructor',
    'toString',
    'a.b',
    '0',
    '10',
    '9',
  ],
)

/** Strings that are likely to break something. */
export const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 20 }))

/** Integers that need a `bigint`, as a text may contain them. */
const largeInteger: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
  fc.constantFrom(9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n),
)

const scalar = fc.oneof(
  text,
  largeInteger,
  fc.constantFrom<Value>(null, true, false, 0, -0, 42, -1.5, 1e21, 5e-324, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
)

/** Any value, small. */
export const value: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map(record),
  ),
})).value
