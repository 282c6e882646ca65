import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editText, formatText, patchText, putFirst, readSource, type Value } from '../../src/index.ts'
import { sameValue } from '../../src/values/deep-equal.ts'
import { value as anyValue, read, record } from '../support.ts'
import { type Draw, draws, tree, writeFreely } from './yaml-writer.ts'

/** The text after its value was changed. */
function patch(text: string, change: (value: never) => unknown): string {
  const result = patchText(text, change(structuredClone(read(text).value) as never) as Value)
  if (!result.ok) expect.unreachable(JSON.stringify(result.error))
  expect(result.value.rewritten).toEqual([])
  expect(editText(text, result.value.edits)).toBe(result.value.text)
  return result.value.text
}

describe('edits', () => {
  type Row = [name: string, before: string, change: (value: never) => unknown, after: string]
  // The values are those in the text, which the compiler cannot know.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const row = (name: string, before: string, change: (value: any) => unknown, after: string): Row => [
    name,
    before,
    change,
    after,
  ]
  const set = (key: string, to: Value) => (value: Record<string, Value>) => ({ ...value, [key]: to })

  test.each<Row>([
    row('a plain scalar', 'a: 1 # c\nb: 2\n', set('a', 3), 'a: 3 # c\nb: 2\n'),
    row('a scalar in double quotes', 'a: "x"\n', set('a', 'y "z"'), 'a: "y \\"z\\""\n'),
    row('a scalar in single quotes', "a: 'x'\n", set('a', "it's"), "a: 'it''s'\n"),
    row('a word that needs quotes', 'a: x\n', set('a', 'yes: no'), "a: 'yes: no'\n"),
    row('a scalar that gets lines', 'a: x # c\nb: 1', set('a', 'y\nz\n'), 'a: | # c\n  y\n  z\nb: 1'),
    row('a literal block', 'a: |\n    x\n    y\n\nb: 1\n', set('a', 'x\nz\n'), 'a: |\n  x\n  z\n\nb: 1\n'),
    row('an empty value', 'a:\nb: 1\n', set('a', 'x'), 'a: x\nb: 1\n'),
    row('an empty list', 'a: []\n', set('a', [1, { b: 2, c: 3 }]), 'a:\n  - 1\n  - b: 2\n    c: 3\n'),
    row('a scalar that becomes a mapping', 'a: x # c\nd: 1\n', set('a', { b: 1 }), 'a: # c\n  b: 1\nd: 1\n'),
    row('a mapping that becomes a scalar', 'a: # c\n  b: 1 # d\ne: 1\n', set('a', 2), '# d\na: 2 # c\ne: 1\n'),
    row('a key', 'x: 1\n"a": 2 # c\ny: 3\n', ({ x, a, y }) => ({ x, b: a, y }), 'x: 1\n"b": 2 # c\ny: 3\n'),
    row('a key and its value', 'x: 1\na: 2 # c\n', ({ x }) => ({ x, b: 3 }), 'x: 1\nb: 3 # c\n'),
    row(
      'a key more',
      'a:\n    b: 1\n    # c\nd: 1\n',
      (v) => ({ a: { ...v.a, e: { f: 1 } }, d: 1 }),
      'a:\n    b: 1\n    e:\n        f: 1\n    # c\nd: 1\n',
    ),
    row(
      'a key in front',
      'x:\n  # about a\n  a: 1\n',
      (v) => ({ x: { m: 0, ...v.x } }),
      'x:\n  m: 0\n  # about a\n  a: 1\n',
    ),
    row(
      'a key in front, below what is about the file',
      '# file\na: 1\n',
      (v) => ({ m: 0, ...v }),
      '# file\nm: 0\na: 1\n',
    ),
    row(
      'a key in front, CRLF',
      'x:\r\n  # about a\r\n  a: 1\r\n',
      (v) => ({ x: { m: 0, ...v.x } }),
      'x:\r\n  m: 0\r\n  # about a\r\n  a: 1\r\n',
    ),
    row('a key after the last line', 'a: 1', set('b', 2), 'a: 1\nb: 2'),
    row(
      'a key less',
      'a: 1\n# about b\nb: 2 # two\nc: 3\n',
      ({ a, c }) => ({ a, c }),
      'a: 1\n# about b\n# two\nc: 3\n',
    ),
    row('a key less beside a dash', '- a: 1\n  b: 2\n', () => [{ b: 2 }], '- b: 2\n'),
    row(
      'a key less beside a dash, with comments',
      '- a: 1 # c\n  # d\n  b: 2\n',
      () => [{ b: 2 }],
      '- # c\n  # d\n  b: 2\n',
    ),
    row('a key more beside a dash', '- a: 1\n', () => [{ z: 0, a: 1 }], '- z: 0\n  a: 1\n'),
    row('the only key', 'x:\n  a: 1 # c\n', () => ({ x: {} }), '# c\nx: {}\n'),
    row('an item', 'a:\n- x # c\n- y\n', () => ({ a: ['x', 'z'] }), 'a:\n- x # c\n- z\n'),
    row(
      'an item more, in a list beside its key',
      'a:\n- x\nb: 1\n',
      set('a', ['x', { w: [1] }]),
      'a:\n- x\n- w:\n  - 1\nb: 1\n',
    ),
    row('an item more, in the middle', '- x\n- z\n', () => ['x', 'w', 'z'], '- x\n- w\n- z\n'),
    row('an item less', '- x\n- y # c\n- z\n', () => ['x', 'z'], '- x\n# c\n- z\n'),
    row('a flow list', 'a: [1, 2, 3] # c\n', set('a', [1, 3, 'x y', 'a, b']), 'a: [1, 3, x y, "a, b"] # c\n'),
    row('a flow mapping', 'a: {x: 1, y: 2}\n', set('a', { y: 3, z: {} }), 'a: {y: 3, z: {}}\n'),
    row('a flow mapping of lines', '{\n  x: 1,\n  y: 2\n}\n', set('z', 3), '{\n  x: 1,\n  y: 2,\n  z: 3\n}\n'),
    row('JSON', '{"a":1,"b":["x"]}', (v) => ({ ...v, b: ['x', { y: null }] }), '{"a":1,"b":["x", {"y": null}]}'),
    row(
      'JSON in lines',
      '{\n    "a": 1\n}\n',
      set('b', { c: [] }),
      '{\n    "a": 1,\n    "b": {\n        "c": []\n    }\n}\n',
    ),
    row('CRLF', 'a: 1\r\nb: 2\r\n', set('c', { d: 'x\ny' }), 'a: 1\r\nb: 2\r\nc:\r\n  d: |-\r\n    x\r\n    y\r\n'),
    row(
      'behind a marker and a byte order mark',
      '\ufeff# c\n---\na: 1\n...\n',
      set('b', 2),
      '\ufeff# c\n---\na: 1\nb: 2\n...\n',
    ),
    row('an anchor with its alias', 'a: &x 1\nb: *x\n', () => ({ a: 2, b: 2 }), 'a: &x 2\nb: *x\n'),
    row('an anchor without its alias', 'a: &x 1\nb: *x\n', set('a', 2), 'a: &x 2\nb: 1\n'),
    row('an alias', 'a: &x {c: 1}\nb: *x\n', set('b', { c: 2 }), 'a: &x {c: 1}\nb:\n  c: 2\n'),
    row('a tagged scalar', 'a: !!str 1\n', set('a', 2), 'a: 2\n'),
    row('what reorders text', 'a: x\n', set('a', 'b\u202ec'), 'a: "b\\u202ec"\n'),
  ])('%s', (_, before, change, after) => expect(patch(before, change)).toBe(after))
})

test('rejects a text that cannot be parsed', () => {
  expect(patchText('a: [', null)).toMatchObject({ ok: false, error: [{ code: 'syntax' }] })
  expect(patchText('a: 1\n---\nb: 2\n', null)).toMatchObject({ ok: false, error: [{ code: 'several-documents' }] })
})

test('rejects a value that is too deep or circular', () => {
  const cycle: { [key: string]: Value } = {}
  cycle.again = cycle
  expect(patchText('a: 1', cycle)).toMatchObject({ ok: false, error: [{ code: 'limit', limit: 'yamlDepth' }] })
})

test('rewrites the smallest part when an edit is not enough', () => {
  // The spaces below the block are one of its lines.
  const text = 'b:   2\nk:\n  a: | # c\n    x\n      \nd:   3\n'
  const result = patchText(text, { b: 2, k: { a: 'x\n  \n', more: 1 }, d: 3 })
  expect(result).toMatchObject({ ok: true, value: { rewritten: [['k']] } })
  if (!result.ok) expect.unreachable()
  expect(result.value.text).toBe('b:   2\n# c\nk:\n  a: "x\\n  \\n"\n  more: 1\n      \nd:   3\n')
  expect(editText(text, result.value.edits)).toBe(result.value.text)
})

/** A value with a change somewhere in it. */
function mutate(value: Value, fresh: Value, draw: Draw): Value {
  if (typeof value !== 'object' || value === null || draw(6) === 0) return fresh
  if (Array.isArray(value)) {
    const items = [...value]
    const at = draw(items.length + 1)
    if (draw(3) === 0) items.splice(at, 0, fresh)
    else if (draw(2) === 0) items.splice(at, 1)
    else if (items[at] !== undefined) items[at] = mutate(items[at], fresh, draw)
    return items
  }
  const entries: [string, Value][] = Object.entries(value)
  const at = draw(entries.length + 1)
  const entry = entries[at]
  if (entry === undefined || draw(3) === 0) entries.splice(at, 0, [`new${draw(3)}`, fresh])
  else if (draw(5) === 0) entries.splice(at, 1)
  else if (draw(4) === 0) entries[at] = [`other${draw(3)}`, draw(2) === 0 ? entry[1] : fresh]
  else entries[at] = [entry[0], mutate(entry[1], fresh, draw)]
  return record(entries)
}

describe('for any text and any change', () => {
  test('the text has the wanted value and its comments, and editing is idempotent', () => {
    fc.assert(
      fc.property(tree, fc.array(tree, { minLength: 1, maxLength: 3 }), fc.integer(), (value, fresh, seed) => {
        const draw = draws(seed)
        const text = writeFreely(value, draw)
        const source = readSource(text)
        fc.pre(source.ok && sameValue(source.value.value, value))
        const wanted = fresh.reduce((now, part) => mutate(now, part, draw), value)
        const result = patchText(text, wanted)
        if (!result.ok) expect.unreachable(`${JSON.stringify(result.error)}\n${text}`)
        expect(result.value.rewritten).toEqual([])
        const patched = read(result.value.text)
        expect(sameValue(patched.value, wanted)).toBe(true)
        const say = (from: typeof patched): string[] =>
          from
            .comments()
            .map((offset) => /^#[^\r\n]*/.exec(from.text.slice(offset))?.[0].trimEnd() ?? '')
            .sort()
        expect(say(patched)).toEqual(say(read(text)))
        expect(editText(text, result.value.edits)).toBe(result.value.text)
        expect(patchText(result.value.text, wanted)).toMatchObject({ value: { edits: [] } })
      }),
      { numRuns: 300 },
    )
  })

  test('an unrelated value can be written too', () => {
    fc.assert(
      fc.property(tree, anyValue, fc.integer(), (value, wanted, seed) => {
        const text = writeFreely(value, draws(seed))
        fc.pre(readSource(text).ok)
        const result = patchText(text, wanted)
        expect(result.ok && sameValue(read(result.value.text).value, wanted)).toBe(true)
      }),
    )
  })
})

describe('putFirst', () => {
  test.each<[string, string, string]>([
    [
      'with its comments',
      'a: 1\n# about k\nk: 2 # two\n  # more\nb: 3\n',
      '# about k\nk: 2 # two\n  # more\na: 1\nb: 3\n',
    ],
    [
      'without the comments of others',
      '# about a\na:\n  b: 1\n  # in a\n# loose\n\nk: 2\n# the end\n',
      'k: 2\n\n# about a\na:\n  b: 1\n  # in a\n# loose\n# the end\n',
    ],
    ['below what is about the file', '# licence\n\n# about a\na: 1\nk: 2\n', '# licence\n\nk: 2\n# about a\na: 1\n'],
    [
      'below what is for an editor',
      '# yaml-language-server: $schema=s\na: 1\nk: 2\n',
      '# yaml-language-server: $schema=s\nk: 2\na: 1\n',
    ],
    ['behind directives and markers', '%YAML 1.2\n--- # c\na: 1\nk: 2\n...\n', '%YAML 1.2\n--- # c\nk: 2\na: 1\n...\n'],
    ['behind a byte order mark, CRLF', '\ufeffa: 1\r\n# c\r\nk: 2\r\n', '\ufeff# c\r\nk: 2\r\na: 1\r\n'],
    ['with a blank line between', 'a: 1\n\nk: 2\n', 'k: 2\n\na: 1\n'],
    ['from a last line without a break', 'a: |\n  x\nk: 2', 'k: 2\na: |\n  x\n'],
    ['as it is quoted', "a: 1\n'k' :   |  # c\n    x\n\nb: 1\n", "'k' :   |  # c\n    x\na: 1\n\nb: 1\n"],
    ['with an explicit key', '? a\n: 1\n? k\n: 2\n', '? k\n: 2\n? a\n: 1\n'],
    ['in JSON', '{"a":{"k":1},"k":2,"b":3}', '{"k":2,"a":{"k":1},"b":3}'],
    ['in JSON of lines', '{\n  "a": 1,\n  "k": 2\n}\n', '{\n  "k": 2,\n  "a": 1\n}\n'],
    ['in a flow mapping', '--- { a: [1,\n 2], k: 2 } # c\n', '--- { k: 2, a: [1,\n 2] } # c\n'],
    [
      'in a flow mapping with comments',
      '{\n  a: 1, # one\n  # about k\n  k: 2 # two\n}\n',
      '{\n  # about k\n  k: 2, # two\n  a: 1, # one\n}\n',
    ],
    ['with an anchor', 'a: 1\nk: &x 2\nb: *x\n', 'k: &x 2\na: 1\nb: *x\n'],
  ])('%s', (_, before, after) => {
    expect(putFirst(before, 'k')).toBe(after)
    expect(putFirst(after, 'k')).toBe(after)
  })

  test.each([
    ['is an alias of what is before it', 'a: &x 1\nk: *x\n'],
    ['has an anchor that is used again', 'a: &x 1\nk: &x 2\nb: *x\n'],
    ['keeps blank lines from those before it', 'a: |+\n  x\nk: 2\n\nb: 1\n'],
    ['is not there', 'a: { k: 1 }\n'],
    ['is not a key', '[a, k]'],
    ['cannot be read', 'a: [\nk: 1\n'],
  ])('stays where it is when it %s', (_, text) => expect(putFirst(text, 'k')).toBe(text))

  test('moves the key first, and keeps everything else', () => {
    const others = fc.array(fc.tuple(fc.stringMatching(/^[a-j]{1,3}$/), tree), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(others, tree, fc.nat(3), fc.integer(), (entries, child, at, seed) => {
        const value = record(entries.toSpliced(at, 0, ['k', child]))
        const text = writeFreely(value, draws(seed))
        const source = readSource(text)
        fc.pre(source.ok && sameValue(source.value.value, value))
        const moved = putFirst(text, 'k')
        expect(sameValue(read(moved).value, record([['k', child], ...Object.entries(value)]))).toBe(true)
        expect(characters(moved)).toBe(characters(text))
        expect(putFirst(moved, 'k')).toBe(moved)
        const laid = formatText(text)
        if (!laid.ok) expect.unreachable(JSON.stringify(laid.error))
        const laidFirst = putFirst(laid.value, 'k')
        expect(formatText(laidFirst)).toEqual({ ok: true, value: laidFirst })
      }),
      { numRuns: 300 },
    )
  })
})

/** The characters of a text in any order, without the break of its last line. */
function characters(text: string): string {
  return [...text.replace(/\r?\n$/, '')].sort().join('')
}
