import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeJson } from '../../src/json/write-json.ts'
import { defaultLimits, withLimits } from '../../src/model/limits.ts'
import type { Source } from '../../src/model/source.ts'
import type { Value } from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { readSource } from '../../src/yaml/read-source.ts'
import { writeYaml } from '../../src/yaml/yaml.ts'
import { leaves, read, refusal, textAt, value } from '../support.ts'

describe('values', () => {
  test.each<[string, string, Value]>([
    ['block', 'a: 1\nb:\n  - x\n  - y: true\n', { a: 1, b: ['x', { y: true }] }],
    ['flow', '{a: 1, b: [x, {y: true}]}', { a: 1, b: ['x', { y: true }] }],
    ['JSON', '{"a": 1.0, "b": ["x", null]}', { a: 1, b: ['x', null] }],
    ['explicit start and end', '---\na: 1\n...\n', { a: 1 }],
    ['an explicit empty document', '---\n', null],
    ['a scalar', '42', 42],
    ['an indented marker, which js-yaml takes for nothing', ' ---', null],
    [
      'YAML 1.2 words',
      'a: yes\nb: off\nc: 0o17\nd: 017\ne: 2020-01-01',
      { a: 'yes', b: 'off', c: 15, d: 17, e: '2020-01-01' },
    ],
    ['%YAML 1.1, which changes nothing', '%YAML 1.1\n---\na: yes\n', { a: 'yes' }],
    [
      'keys that are not strings',
      '1: a\n0x10: b\n1.50: c\nTrue: d\n~: e',
      { 1: 'a', 16: 'b', 1.5: 'c', true: 'd', null: 'e' },
    ],
    [
      'core tags',
      'a: !!str 1\nb: !!int "2"\nc: !!float 3\nd: !!seq [x]\ne: !!map {y: z}\nf: !!null',
      { a: '1', b: 2, c: 3, d: ['x'], e: { y: 'z' }, f: null },
    ],
    [
      'custom tags, as if they were not there',
      'a: !include x\nb: !t [1]\nc: !<tag:x,1:y> {d: 2}\ne: !t\nf: !!binary aGk=',
      { a: 'x', b: [1], c: { d: 2 }, e: '', f: 'aGk=' },
    ],
    ['merge keys, as plain keys', 'a: &x {b: 1}\nc:\n  <<: *x', { a: { b: 1 }, c: { '<<': { b: 1 } } }],
    ['numerals beyond a double, as text', 'a: 1e400\nb: 123e4567', { a: '1e400', b: '123e4567' }],
    ['a byte order mark', '\ufeffa: 1', { a: 1 }],
    ['CRLF', 'a: |\r\n  x\r\n  y\r\nb: 1\r\n', { a: 'x\ny\n', b: 1 }],
    ['an anchor name used twice', 'a: &x 1\nb: *x\nc: &x [&x 2]\nd: *x', { a: 1, b: 1, c: [2], d: 2 }],
  ])('reads %s', (_, text, expected) => {
    expect(readSource(text)).toMatchObject({ ok: true, value: { value: expected, text } })
  })

  test.each<[string, Value]>([
    ['9007199254740993', 9007199254740993n],
    ['+9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['18446744073709551616', 2 ** 64],
    ['-9223372036854775809', -(2 ** 63)],
    ['0x7fffffffffffffff', 2n ** 63n - 1n],
    ['0o1777777777777777777777', 2n ** 64n - 1n],
    ['!!int -0b100000000000000000000000000000000000000000000000000001', -(2n ** 53n + 1n)],
    ['000000000000000009007199254740993', 9007199254740993n],
    [`${'0'.repeat(1_000_000)}9007199254740993`, 2 ** 53],
    ['9'.repeat(300), 1e300],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993.0', 2 ** 53],
    ['!!float 9007199254740993', 2 ** 53],
    ['"9007199254740993"', '9007199254740993'],
  ])('reads the integer %.40s', (text, expected) => {
    expect(read(`a: ${text}`).value).toEqual({ a: expected })
  })

  test('keeps the digits of a large integer that is a key', () => {
    expect(read('9007199254740993: 1').value).toEqual({ '9007199254740993': 1 })
  })

  test('keeps prototype names as own keys', () => {
    const { value: read1 } = read('__proto__: {polluted: 1}\nconstructor: 2\ntoString: 3')
    expect(Object.keys(read1 as object)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(read1)).toBe(Object.prototype)
    expect((read1 as { polluted?: unknown }).polluted).toBeUndefined()
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('refusals', () => {
  test.each<[string, string, object]>([
    ['an empty text', '', { code: 'empty', line: 1, column: 1 }],
    ['only comments', '# a\n\n# b\n', { code: 'empty' }],
    ['only a byte order mark', '\ufeff', { code: 'empty' }],
    ['two documents', 'a: 1\n---\nb: 2\n', { code: 'several-documents', line: 3, column: 1 }],
    ['two documents, the second a scalar', 'a: 1\n---\nb\n', { code: 'several-documents', line: 3, column: 1 }],
    ['two documents, the second empty', 'a: 1\n---\n', { code: 'several-documents', line: 3, column: 1 }],
    ['a marker at the end', 'a: 1\n---', { code: 'several-documents', line: 2, column: 4 }],
    ['a cyclic mapping', 'a: &x {b: *x}', { code: 'alias-cycle', line: 1, column: 11 }],
    ['a cyclic list', '&x [1, [*x]]', { code: 'alias-cycle', line: 1, column: 9 }],
    ['a cycle through a newer anchor', 'a: &x 1\nb: &x [*x]', { code: 'alias-cycle', line: 2, column: 8 }],
    ['NUL', 'a: 1\nb: \0', { code: 'syntax', line: 2, column: 4 }],
    ['a control character', 'a: \u0001', { code: 'syntax', line: 1, column: 4 }],
    ['a lone surrogate', 'a: \ud800', { code: 'syntax', line: 1, column: 4 }],
    ['a duplicate key', 'a: 1\nb: 2\na: 3', { code: 'syntax', line: 3, column: 1 }],
    ['a duplicate key, one of them quoted', 'a: 1\n"a": 3', { code: 'syntax', line: 2, column: 1 }],
    ['a duplicate number and string', '1: a\n"1": b', { code: 'syntax', line: 2, column: 1 }],
    ['a duplicate __proto__', '{__proto__: 1, __proto__: 2}', { code: 'syntax', line: 1, column: 16 }],
    ['an undefined alias', 'a: *x', { code: 'syntax', line: 1 }],
    ['an unfinished list', 'a: [1, 2', { code: 'syntax', line: 1, column: 4 }],
    ['a foreign version', '%YAML 2.0\n---\na: 1', { code: 'syntax' }],
  ])('refuses %s', (_, text, expected) => {
    expect(refusal(text)).toMatchObject({ severity: 'error', ...expected })
  })
})

describe('limits', () => {
  test.each<[string, string]>([
    ['flow lists', '['.repeat(100_000)],
    ['flow mappings', '{a: '.repeat(100_000)],
    ['closed flow lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['block lists', '- '.repeat(100_000)],
    ['block mappings', Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:\n`).join('')],
    ['explicit keys', '? '.repeat(100_000)],
    ['pairs in lists', '[a: '.repeat(100_000)],
  ])('refuses endless nesting: %s', (_, text) => {
    expect(refusal(text)).toMatchObject({
      code: 'limit',
      limit: 'yamlDepth',
      message: 'over the limit yamlDepth = 100',
    })
  })

  test('counts collections, not the scalar in the innermost one', () => {
    const shapes: ((levels: number) => string)[] = [
      (levels) => '['.repeat(levels) + ']'.repeat(levels),
      (levels) => `${'['.repeat(levels)}x${']'.repeat(levels)}`,
      (levels) => `${'{a: '.repeat(levels)}"x"${'}'.repeat(levels)}`,
      (levels) => `${'- '.repeat(levels)}x`,
      (levels) => `${'- '.repeat(levels)}&a x`,
      (levels) => `${'- '.repeat(levels - 50)}!t ${'['.repeat(50)}x${']'.repeat(50)}`,
      (levels) => Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
      (levels) =>
        Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}? a\n${' '.repeat(level)}:`).join('\n'),
    ]
    for (const shape of shapes) {
      expect(readSource(shape(100))).toMatchObject({ ok: true })
      expect(refusal(shape(101))).toMatchObject({ limit: 'yamlDepth' })
    }
    const pairs = (levels: number) => `${'[a: '.repeat(levels)}x${']'.repeat(levels)}`
    expect(readSource(pairs(50)).ok).toBe(true)
    expect(refusal(pairs(51))).toMatchObject({ limit: 'yamlDepth', message: 'over the limit yamlDepth = 100 (102)' })
  })

  test('supports another depth', () => {
    for (const [yamlDepth, fits, over] of [
      [0, '1', '[]'],
      [1, '[1]', '[[]]'],
      [2, 'a:\n  b: 1', 'a:\n  b:\n    - 1'],
    ] as const) {
      const limits = withLimits({ yamlDepth })
      expect(readSource(fits, limits).ok).toBe(true)
      expect(refusal(over, limits)).toMatchObject({ code: 'limit', limit: 'yamlDepth' })
    }
  })

  test('a raised depth still ends in an error', () => {
    expect(refusal('['.repeat(100_000), withLimits({ yamlDepth: 1_000_000 }))?.limit).toBe('yamlDepth')
  })

  test('a raised depth is readable and has positions', () => {
    const source = read(`${'['.repeat(1000)}x${']'.repeat(1000)}`, withLimits({ yamlDepth: 1000 }))
    expect(source.locate(Array.from({ length: 1000 }, () => 0))).toEqual({ line: 1, column: 1001, end_column: 1002 })
  })

  test('counts UTF-8 bytes', () => {
    const four = withLimits({ yamlBytes: 4 })
    for (const text of ['abcd', 'éé', 'a한', '\u{1f600}']) expect(readSource(text, four).ok).toBe(true)
    for (const text of ['abcde', 'ééa', 'a한b', '\u{1f600}a']) {
      expect(refusal(text, four)).toMatchObject({ code: 'limit', limit: 'yamlBytes' })
    }
  })

  test('accepts at most 4 MiB', () => {
    const text = `# ${'x'.repeat(defaultLimits.yamlBytes - 4)}\n1`
    expect(read(text).value).toBe(1)
    expect(refusal(`${text}1`)).toMatchObject({
      limit: 'yamlBytes',
      message: 'over the limit yamlBytes = 4194304 (4194305)',
    })
  })

  test('counts the nodes that aliases add', () => {
    // The anchor is 11 nodes, so each alias adds 10.
    const text = (aliases: number) => `a: &a [${'x,'.repeat(10)}]\nb:\n${'- *a\n'.repeat(aliases)}`
    expect(readSource(text(1000)).ok).toBe(true)
    expect(refusal(text(1001))).toMatchObject({
      code: 'limit',
      limit: 'yamlAliasNodes',
      message: 'over the limit yamlAliasNodes = 10000 (10010)',
    })
    expect(readSource(text(3), withLimits({ yamlAliasNodes: 30 })).ok).toBe(true)
    expect(refusal(text(4), withLimits({ yamlAliasNodes: 39 }))?.limit).toBe('yamlAliasNodes')
  })

  test('refuses billion laughs', () => {
    const lines = ['a0: &a0 [lol]']
    for (let level = 1; level < 90; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(',')}]`)
    }
    expect(refusal(lines.join('\n'))?.limit).toBe('yamlAliasNodes')
  })

  test('refuses nesting by aliases', () => {
    const deep = (name: string, inner: string) => `${name}: &${name} ${'['.repeat(60)}${inner}${']'.repeat(60)}`
    expect(refusal([deep('a', 'x'), deep('b', '*a')].join('\n'))).toMatchObject({
      limit: 'yamlDepth',
      message: 'over the limit yamlDepth = 100 (121)',
    })
  })

  test('refuses one long scalar behind many aliases', () => {
    const text = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(50)}]`
    expect(refusal(text)).toMatchObject({ code: 'limit', limit: 'yamlBytes' })
  })
})

describe('properties', () => {
  test('written values are read back, and all locations are correct', () => {
    fc.assert(
      fc.property(value, fc.constantFrom('yaml', 'crlf', 'bom', 'json', 'pretty'), (original, style) => {
        const source = read(write(original, style))
        expect(deepEqual(source.value, original)).toBe(true)
        for (const leaf of leaves(original)) expectLeafAt(source, leaf)
      }),
      { numRuns: 2000 },
    )
  })

  test('never throws for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => explore(text)))
  })

  test('never throws for text made of YAML indicators', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        ' ',
        '  ',
        '\n',
        '\r\n',
        '\r',
        ': ',
        '- ',
        '? ',
        '[',
        ']',
        '{',
        '}',
        ', ',
        '#',
        ' # ',
        '&a ',
        '*a',
        '!t ',
        '!!int ',
      ],
      ...[
        '|',
        '>',
        '|+2',
        '\n  ',
        '"',
        "'",
        '\\',
        '---\n',
        '...\n',
        '%TAG !t! tag:x\n',
        '<<: ',
        '~',
        '1',
        '.inf',
        '\t',
        '\ufeff',
        '{{x}}',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => explore(pieces.join(''))),
      { numRuns: 5000 },
    )
  })

  test('never throws for mutated YAML', () => {
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(4),
      insert: fc.string({ unit: 'binary-ascii', maxLength: 3 }),
    })
    fc.assert(
      fc.property(value, fc.array(edit, { minLength: 1, maxLength: 4 }), (original, edits) => {
        let text = writeYaml(original)
        for (const { at, remove, insert } of edits) {
          const offset = at % (text.length + 1)
          text = text.slice(0, offset) + insert + text.slice(offset + remove)
        }
        explore(text)
      }),
      { numRuns: 2000 },
    )
  })
})

function write(original: Value, style: string): string {
  if (style === 'json') return writeJson(original)
  if (style === 'pretty') return writeJson(original, 2)
  const text = writeYaml(original)
  return style === 'crlf' ? text.replaceAll('\n', '\r\n') : style === 'bom' ? `\ufeff${text}` : text
}

function expectLeafAt(source: Source, leaf: { path: readonly (string | number)[]; value: Value }): void {
  const location = source.locate(leaf.path)
  const snippet = textAt(source.text, location)
  // A block scalar spans several lines; any other snippet is a document of its own.
  if (location.end_column === undefined) expect(snippet).toMatch(/^[|>][-+0-9]*$/)
  else expect(deepEqual(alone(snippet), leaf.value)).toBe(true)

  const key = leaf.path.at(-1)
  const keyText = textAt(source.text, source.locateKey(leaf.path))
  if (typeof key === 'string') expect(alone(keyText)).toBe(key)
}

/** The value of a snippet; at the start of a line, `...` would not be a scalar. */
function alone(snippet: string): Value {
  return (read(`- ${snippet}`).value as readonly Value[])[0] ?? null
}

/** Calls every method of a source. */
function explore(text: string): void {
  const result = readSource(text)
  if (!result.ok) {
    expect(result.error[0]?.message).not.toBe('')
    return
  }
  const source = result.value
  source.constructs()
  for (const offset of source.comments()) expect(text.charAt(offset)).toBe('#')
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (const { path } of leaves(source.value)) {
    for (const at of [source.locate(path), source.locateKey(path)]) {
      expect(at.column).toBeGreaterThan(0)
      expect(at.column).toBeLessThanOrEqual((lines[at.line - 1]?.length ?? -1) + 1)
    }
  }
}
