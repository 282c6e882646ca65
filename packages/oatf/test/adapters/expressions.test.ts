import type { Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
import { celSyntaxError } from '../../src/adapters/cel-syntax.ts'
import { compileJsonPath, firstJsonPathMatch, jsonPathSyntaxError } from '../../src/adapters/json-path.ts'
import { largeInteger } from '../generators/garbage.ts'

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((json) => json as Value),
  largeInteger.map((n): Value => ({ n, l: [n] })),
)
const message = fc.oneof(
  value,
  fc.constantFrom<Value>({ l: [1, 'a', null, { x: [] }], s: 'abc', n: 1.5, m: { k: true } }),
)

const celPieces = [
  ...[
    'message',
    '.l',
    '.s',
    '.n',
    '.m',
    '.k',
    '[0]',
    '["k"]',
    '.exists(x, ',
    '.all(x, ',
    '.map(x, ',
    '.filter(x, ',
    ')',
    '(',
  ],
  ...[
    'x',
    '1',
    '-1',
    '2u',
    '1.5',
    '"a"',
    'b"a"',
    'null',
    'true',
    '[',
    ']',
    '{',
    '}',
    ':',
    ',',
    ' == ',
    ' < ',
    ' in ',
    ' + ',
    ' * ',
  ],
  ...[
    ' / ',
    ' % ',
    ' && ',
    ' || ',
    ' ? ',
    '!',
    '-',
    'has(',
    'size(',
    '.size()',
    '.contains(',
    '.matches(',
    'int(',
    'string(',
  ],
  ...[
    'timestamp(',
    'duration("1s")',
    '.getHours(',
    'type(',
    'dyn(',
    'bytes(',
    'f(',
    'Foo{a: 1}',
    '// c\n',
    '"\\x"',
    "r'\\q'",
    '`',
    '@',
  ],
]
const pathPieces = [
  ...[
    '$',
    '.l',
    '.s',
    '..',
    '*',
    '[',
    ']',
    '[0]',
    '[-1]',
    '[*]',
    '[1:]',
    '[::-1]',
    '["k"]',
    '[?',
    '@',
    '@.x',
    '@.*',
    '$.l',
    '(',
  ],
  ...[
    ')',
    ' == ',
    ' < ',
    ' && ',
    ' || ',
    '!',
    '1',
    "'a'",
    'null',
    'true',
    'length(',
    'count(',
    'value(',
    'match(',
    'search(',
  ],
  ...[', ', "'(a+)+$'", "'['", 'x', '~', '#', ' '],
]
const textOf = (pieces: readonly string[]) =>
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((chosen) => chosen.join('')),
  )

describe('any text and any value', () => {
  test('CEL gives a boolean or an error, and never throws', () => {
    const cel = createCelEvaluator({ now: () => 0, limits: { celSteps: 5000 } })
    fc.assert(
      fc.property(textOf(celPieces), message, (expression, bound) => {
        const result = cel.evaluate(expression, { message: bound })
        expect(result.ok ? typeof result.value : typeof result.error.message).toBe(result.ok ? 'boolean' : 'string')
        const compiled = cel.compile(expression)
        expect(compiled.ok).toBe(celSyntaxError(expression) === undefined)
        expect(compiled.ok ? compiled.value({ message: bound }) : compiled).toEqual(result)
      }),
      { numRuns: 3000 },
    )
  })

  test('a loop over anything around any text', () => {
    const cel = createCelEvaluator({ now: () => 0, limits: { celSteps: 5000 } })
    const around = fc.constantFrom(
      'l.exists(x, E)',
      'l.all(x, E || true)',
      'l.map(x, E) == []',
      'l.filter(x, E).size() > 0',
    )
    fc.assert(
      fc.property(around, textOf(celPieces), fc.oneof(value, fc.array(value)), (loop, body, l) => {
        const result = cel.evaluate(
          loop.replace('E', () => body),
          { l, message: l },
        )
        expect(result.ok ? typeof result.value : result.error.kind).toMatch(
          /^(?:boolean|cel_error|type_error|unsupported_method)$/,
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('JSONPath gives a match, nothing or an error, and never throws', () => {
    fc.assert(
      fc.property(textOf(pathPieces), message, (expression, root) => {
        const result = firstJsonPathMatch(expression, root)
        if (!result.ok) expect(result.error.kind).toBe('path_resolution')
        expect(compileJsonPath(expression).ok).toBe(jsonPathSyntaxError(expression) === undefined)
      }),
      { numRuns: 3000 },
    )
  })

  test('JSONPath never throws on a filter of any text', () => {
    fc.assert(
      fc.property(textOf(pathPieces), fc.array(message), (filter, root) => {
        const result = firstJsonPathMatch(`$[?${filter}]`, root)
        if (!result.ok) expect(result.error.kind).toBe('path_resolution')
      }),
      { numRuns: 3000 },
    )
  })
})
