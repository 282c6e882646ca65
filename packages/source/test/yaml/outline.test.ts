import { describe, expect, test } from 'vitest'
import type { Path } from '../../src/model/path.ts'
import { buildOutline, findNode, type OutlineNode } from '../../src/yaml/outline.ts'
import { readEvents } from '../../src/yaml/yaml.ts'
import { read, textAt } from '../support.ts'

/** `line:column` and the text there. */
function at(text: string, path: Path, key = false): string {
  const source = read(text)
  const location = key ? source.locateKey(path) : source.locate(path)
  return `${location.line}:${location.column} ${textAt(text, location)}`
}

describe('values', () => {
  test.each<[string, string, Path, string]>([
    ['the root of a block mapping', 'a: 1\nb: 2', [], '1:1 a: 1'],
    ['the root after comments and markers', '# c\n---\n# d\n- x', [], '4:1 - x'],
    ['a root scalar', '  x', [], '1:3 x'],
    ['a plain scalar', 'a: one two # c', ['a'], '1:4 one two'],
    ['a single-quoted scalar', "a: 'it''s'", ['a'], "1:4 'it''s'"],
    ['a double-quoted scalar', 'a: "x\\"y" ', ['a'], '1:4 "x\\"y"'],
    ['a scalar on the next line', 'a:\n  b', ['a'], '2:3 b'],
    ['a plain scalar of two lines', 'a: b\n  c\nd: 1', ['a'], '1:4 b'],
    ['a literal block', 'a: |\n  x\n  y\nb: 1', ['a'], '1:4 |'],
    ['a folded block with a header', 'a: >2-\n   x', ['a'], '1:4 >2-'],
    ['a block whose comment has indicators', 'a: | # x | y > z\n  t', ['a'], '1:4 | # x | y > z'],
    ['a block with properties', 'a: !t &b|c |\n  t', ['a'], '1:12 |'],
    ['a block on the line after its key', 'a: # | >\n  |\n  t', ['a'], '2:3 |'],
    ['a block after CR alone', 'a: |\r  x\rb: >\r  y', ['b'], '3:4 >'],
    ['a block after CRLF', 'a: |\r\n  x\r\nb: >\r\n  y', ['b'], '3:4 >'],
    ['an empty block at the end', 'a: |', ['a'], '1:4 |'],
    ['a list in a mapping', 'a:\n- x\n- y', ['a'], '2:1 - x'],
    ['an item', 'a:\n- x\n- y: z\n', ['a', 1], '3:3 y: z'],
    ['a value in an item', 'a:\n- x\n- y: z\n', ['a', 1, 'y'], '3:6 z'],
    ['a list in a list', '- - a\n  - b', [0, 1], '2:5 b'],
    ['a flow list', 'a: [x, y , ] # c', ['a'], '1:4 [x, y , ]'],
    ['a flow mapping', 'a: {x: 1, y: 2 }', ['a'], '1:4 {x: 1, y: 2 }'],
    ['an empty flow list', 'a: [ ]', ['a'], '1:4 [ ]'],
    ['a value in flow', '{a: [b, {c: "d"}]}', ['a', 1, 'c'], '1:13 "d"'],
    ['a pair in a flow list', '[x, a: b]', [1], '1:5 a: b'],
    ['the value of a pair in a flow list', '[x, a: b]', [1, 'a'], '1:8 b'],
    ['JSON', '{"a":{"b":[1,2]}}', ['a', 'b', 1], '1:14 2'],
    ['a flow collection of many lines', 'a: [\n  x, # ]\n  y\n  ]', ['a', 1], '3:3 y'],
    ['an explicit key', '? a\n: b', ['a'], '2:3 b'],
    ['an alias', 'a: &x 1\nb: *x', ['b'], '2:4 *x'],
    ['a path below an alias', 'a: &x {y: [1]}\nb: *x', ['b', 'y', 0], '2:4 *x'],
    ['a tagged scalar', 'a: !t &x v', ['a'], '1:10 v'],
    ['behind a byte order mark', '\ufeffa: 1', ['a'], '1:4 1'],
    ['the root behind a byte order mark', '\ufeffa: 1', [], '1:1 a: 1'],
  ])('%s', (_, text, path, expected) => expect(at(text, path)).toBe(expected))
})

describe('empty values are located where they would be', () => {
  test.each<[string, string, Path, string]>([
    ['after the colon', 'a:\nb: 1', ['a'], '1:3 '],
    ['after the colon at the end', 'a:', ['a'], '1:3 '],
    ['after a colon with a space', 'a : # c\nb: 1', ['a'], '1:4  # c'],
    ['after the first dash', '-\n- a', [0], '1:2 '],
    ['after a later dash', '- a # -\n# - c\n-\n- b', [1], '3:2 '],
    ['after the last dash', '- a\n-', [1], '2:2 '],
    ['in a nested list', 'x:\n  - - a\n    -\n  -', ['x', 0, 1], '3:6 '],
    ['after a nested list', 'x:\n  - - a\n    -\n  -', ['x', 1], '4:4 '],
    ['in a flow mapping', '{a: , b}', ['a'], '1:4  , b}'],
    ['in a flow mapping without a colon', '{a: , b}', ['b'], '1:8 }'],
    ['for an explicit key without a value', '? a\n? b', ['a'], '1:4 '],
    ['with a tag', 'a: !!null # c\nb: 1', ['a'], '1:4 !!null'],
    ['with a tag and an anchor', 'a: !!null &x\nb: 1', ['a'], '1:4 !!null &x'],
    ['with an anchor and a tag', 'a: &x !!null\nb: 1', ['a'], '1:4 &x !!null'],
    ['at the root', '---\n', [], '1:1 ---'],
    ['at the root, with a tag', '!!null # c', [], '1:1 !!null'],
    ['at the root, with an anchor', '&x', [], '1:1 &x'],
  ])('%s', (_, text, path, expected) => expect(at(text, path)).toBe(expected))
})

describe('keys', () => {
  test.each<[string, string, Path, string]>([
    ['a plain key', 'x: 1\nab : 2', ['ab'], '2:1 ab'],
    ['a quoted key', '"a b": 1', ['a b'], '1:1 "a b"'],
    ['an escaped key', '"a\\tb": 1', ['a\tb'], '1:1 "a\\tb"'],
    ['a flow key', '{x: 1, a: 2}', ['a'], '1:8 a'],
    ['an explicit key', '? a\n: b', ['a'], '1:3 a'],
    ['a block scalar as a key', '? |\n  a\n: b', ['a\n'], '1:3 |'],
    ['a key that is a number', '1: a\n0x10: b', ['16'], '2:1 0x10'],
    ['a number looked up by a number', '1: a\n0x10: b', [16], '2:1 0x10'],
    ['a number and its spelling', '1.0: a\n"1.0": b', ['1.0'], '2:1 "1.0"'],
    ['a key that is a word', 'True: a', ['true'], '1:1 True'],
    ['an empty key', 'a: 1\n: b', ['null'], '1:5 '],
    ['a key that is an alias', 'a: &x k\n*x : v', ['k'], '2:1 *x'],
    ['a tagged key', '!!int "0x10": a', ['16'], '1:7 "0x10"'],
    ['__proto__', 'a: 1\n__proto__: 2', ['__proto__'], '2:1 __proto__'],
    ['an item, which has none', '- a\n- b', [1], '2:3 b'],
    ['a collection', 'a:\n  b: 1', ['a'], '1:1 a'],
    ['a key under a tagged mapping', 'a: !t\n  b: 1\nc: !!map\n  d: 2', ['c', 'd'], '4:3 d'],
  ])('%s', (_, text, path, expected) => expect(at(text, path, true)).toBe(expected))
})

describe('paths that do not exist', () => {
  test.each<[string, string, Path, string]>([
    ['a missing key', 'a:\n  b: 1', ['a', 'c'], '1:1 a'],
    ['a missing key far down', 'a:\n  b: 1', ['a', 'b', 'c', 0], '2:3 b'],
    ['a missing item', 'a: [1]', ['a', 5], '1:1 a'],
    ['a key of a list', 'a: [1]', ['a', '0'], '1:1 a'],
    ['an odd index', 'a: [1]', ['a', -1], '1:1 a'],
    ['a prototype name', 'a: {}', ['a', 'constructor'], '1:1 a'],
    ['a missing key at the root', 'x: 1\ny: 2', ['z'], '1:1 x: 1'],
    ['a missing key in an item', '- x: 1\n- y: 2', [1, 'z'], '2:3 y: 2'],
  ])('%s', (_, text, path, expected) => {
    expect(at(text, path)).toBe(expected)
    expect(at(text, path, true)).toBe(expected)
  })
})

test('a location ends on its own line or has no end', () => {
  const source = read('a: [x,\n y]\nb: "p\n q"\nc: |\n z\nd: e')
  expect(source.locate(['a'])).toEqual({ line: 1, column: 4 })
  expect(source.locate(['b'])).toEqual({ line: 3, column: 4 })
  expect(source.locate(['c'])).toEqual({ line: 5, column: 4 })
  expect(source.locate(['d'])).toEqual({ line: 7, column: 4, end_column: 5 })
})

test('reports whether the whole path was found', () => {
  const text = 'a: 1'
  const parsed = readEvents(text, 10)
  if ('error' in parsed) expect.unreachable()
  const outline = buildOutline(parsed.events, text, true)
  expect(findNode(outline, ['a'])).toMatchObject({ whole: true, node: { start: 3, end: 4, keyStart: 0, keyEnd: 1 } })
  expect(findNode(outline, ['b'])).toMatchObject({ whole: false, node: { start: 0, end: 4 } })
})

describe('keys and blocks', () => {
  const text = '0x10: { a: [b, { c: d }], e: 1 }\n~: [f, g]\n"q\\u0041": { h: }\ni:\n  - j: k\n    l: [m]\n'
  const parsed = readEvents(text, 10)
  if ('error' in parsed) throw new Error('the text is not read')
  const { events } = parsed

  test('keys of a plain document agree with js-yaml', () => {
    expect(buildOutline(events, text, true)).toEqual(buildOutline(events, text, false))
  })

  test('skipping flow contents does not change other locations', () => {
    const emptied = (node: OutlineNode): OutlineNode => {
      if (node.children === undefined) return node
      const children = Array.isArray(node.children)
        ? node.form === 'flow'
          ? []
          : node.children.map(emptied)
        : new Map(node.form === 'flow' ? [] : [...node.children].map(([key, child]) => [key, emptied(child)]))
      return { ...node, children }
    }
    const blocks = buildOutline(events, text, true, true)
    expect(blocks).toEqual(emptied(buildOutline(events, text, true)))
  })
})
