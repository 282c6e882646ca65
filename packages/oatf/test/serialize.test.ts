import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Document } from '../src/model/document.ts'
import { normalize } from '../src/normalize.ts'
import { parse } from '../src/parse.ts'
import { serialize } from '../src/serialize.ts'
import { fullDocument, minimalText } from './documents.ts'

const document = (attack: object): Document => ({ oatf: '0.1', attack }) as unknown as Document
const withState = (state: Value): Document => document({ execution: { mode: 'mcp_server', state } })
const single = { mode: 'mcp_server', state: {} }

/** The keys of a block of YAML at a level of indentation, in order. */
const keysAt = (text: string, indent: number): string[] =>
  [...text.matchAll(new RegExp(`^ {${indent}}([^ :-][^:]*):`, 'gm'))].map(([, key = '']) => key)

describe('canonical form', () => {
  test('the smallest document, written out', () => {
    const parsed = parse(minimalText)
    if (!parsed.ok) throw new Error('the text has the right shape')
    expect(serialize(parsed.value)).toBe(`oatf: '0.1'
attack:
  name: Untitled
  version: 1
  status: draft
  execution:
    actors:
      - name: default
        mode: mcp_server
        phases:
          - name: phase-1
            state:
              tools: []
`)
  })

  test('oatf is always the first key', () => {
    const text = serialize({ attack: { execution: single }, $schema: 'https://example.org', oatf: '0.1' })
    expect(keysAt(text, 0)).toEqual(['oatf', '$schema', 'attack'])
  })

  test('fields are in the order of the specification', () => {
    const reversed = JSON.parse(JSON.stringify(fullDocument), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as Document
    expect(keysAt(serialize(reversed), 2)).toEqual(keysAt(serialize(fullDocument as unknown as Document), 2))
    expect(keysAt(serialize(reversed), 2)).toEqual([
      'id',
      'name',
      'version',
      'status',
      'created',
      'modified',
      'author',
      'description',
      'grace_period',
      'severity',
      'impact',
      'classification',
      'references',
      'execution',
      'indicators',
      'correlation',
    ])
  })

  test('a state keeps the order of its author', () => {
    expect(serialize(withState({ z: 1, a: { d: 1, b: 2 } }))).toContain(`
            state:
              z: 1
              a:
                d: 1
                b: 2
`)
  })

  test('an extension stays behind the key it followed', () => {
    const text = serialize(
      document({
        'x-first': 1,
        execution: { ...single, 'x-last': 1 },
        name: 'n',
        'x-after-name': 1,
        'x-too': 2,
        status: 'draft',
      }),
    )
    expect(keysAt(text, 2)).toEqual(['x-first', 'name', 'x-after-name', 'x-too', 'version', 'status', 'execution'])
    expect(keysAt(text, 4)).toEqual(['x-last', 'actors'])
  })

  test('block style, with flow style only for empty values', () => {
    const text = serialize(fullDocument as unknown as Document)
    expect(text.replaceAll(/\[\]|\{\}/g, '').match(/: [[{]/g)).toBeNull()
  })

  test('no anchors, even for parts that are shared', () => {
    const shared = { text: 'twice', list: [1, 2] }
    const text = serialize(withState({ a: shared, b: shared, c: [shared.list, shared.list] }))
    expect(text).not.toMatch(/[&*]/)
    expect(parse(text)).toMatchObject({ ok: true })
    expect(text.match(/twice/g)).toHaveLength(2)
  })

  test('every default of §11.2 is written out, but not the mode of a phase', () => {
    const parsed = parse(`
attack:
  severity: high
  classification: { mappings: [{ framework: f, id: i }] }
  execution:
    mode: mcp_server
    phases: [{ state: {}, trigger: { event: tools/call } }, { state: {} }]
  indicators: [{ surface: tools/call, target: name, pattern: { contains: x } }]
oatf: "0.1"
`)
    if (!parsed.ok) throw new Error('the text has the right shape')
    expect(serialize(parsed.value)).toBe(`oatf: '0.1'
attack:
  name: Untitled
  version: 1
  status: draft
  severity:
    level: high
    confidence: 50
  classification:
    mappings:
      - framework: f
        id: i
        relationship: primary
  execution:
    actors:
      - name: default
        mode: mcp_server
        phases:
          - name: phase-1
            state: {}
            trigger:
              event: tools/call
              count: 1
          - name: phase-2
            state: {}
  indicators:
    - id: indicator-01
      protocol: mcp
      surface: tools/call
      target: name
      pattern:
        target: name
        condition:
          contains: x
  correlation:
    logic: any
`)
  })
})

// A string is read back as the same string.
describe('strings', () => {
  test.each([
    ['{{token}}'],
    ['{{a}} and \\{{b}}'],
    ['\\{{'],
    ['"double" and \'single\''],
    ["it's"],
    ['two\nlines'],
    ['ends with a break\n'],
    ['ends with two\n\n'],
    ['\n leading break'],
    ['  leading spaces\nand more'],
    ['trailing spaces  \nline'],
    ['\ttab'],
    ['windows\r\nline'],
    ['- not a list'],
    ['key: value'],
    ['# no comment'],
    ['text # no comment'],
    ['&anchor'],
    ['*alias'],
    ['!tag'],
    ['<<'],
    ['---'],
    ['...'],
    ['? key'],
    ['| literal'],
    ['%directive'],
    ['@at `tick`'],
    [''],
    [' '],
    ['~'],
    ['null'],
    ['true'],
    ['yes'],
    ['no'],
    ['0.1'],
    ['1_000'],
    ['0o17'],
    ['0x1f'],
    ['1e3'],
    ['.inf'],
    ['.nan'],
    ['12:30:45'],
    ['2026-02-15'],
    ['[1, 2]'],
    ['{a: 1}'],
    ['\u0000\u0007\u001b'],
    ['\u0085\u00a0\u2028\u2029\ufeff'],
    ['\ud83d\ude00 中文 é'],
    ['\ud800 lone'],
    ['\u007f'],
    ['x'.repeat(5000)],
    [`${'long words '.repeat(200)}end`],
  ])('%j', (text) => {
    const original = withState({ [text]: text, list: [text, [text]] })
    expect(parse(serialize(original))).toEqual({ ok: true, value: normalize(original) })
  })
})

describe('other values', () => {
  test.each<[Value]>([
    [null],
    [true],
    [0],
    [-1],
    [1.5],
    [1e21],
    [1e-7],
    [5e-324],
    [1.7976931348623157e308],
    [2 ** 60],
    [-1e17],
    [[]],
    [{}],
    [[[], [{}], [[1]]]],
    [{ '': { '': null } }],
    [JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "10": 0, "9": 0}')],
  ])('%j', (value) => {
    const original = withState({ value })
    expect(parse(serialize(original))).toEqual({ ok: true, value: normalize(original) })
  })

  test.each([9007199254740993n, 2n ** 64n - 1n, -(2n ** 63n)])('the integer %i keeps its digits', (value) => {
    const original = withState({ value, list: [value] })
    expect(serialize(original)).toContain(`value: ${value}\n`)
    expect(parse(serialize(original))).toEqual({ ok: true, value: normalize(original) })
  })

  test('parse gives the normal form back', () => {
    expect(parse(serialize(fullDocument as unknown as Document))).toEqual({ ok: true, value: fullDocument })
  })

  test('invalid content is written unchanged', () => {
    expect(serialize(null as unknown as Document)).toBe('null\n')
    expect(serialize({ attack: 5, extra: [] } as unknown as Document)).toBe('attack: 5\nextra: []\n')
  })
})
