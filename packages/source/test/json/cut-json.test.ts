import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CutItem, createJsonCutter } from '../../src/json/cut-json.ts'
import { Lines } from '../../src/text/lines.ts'

/** Cuts a text that arrives in parts of some lengths. */
function cut(text: string, keys: readonly string[], lengths: readonly number[] = []) {
  const items: CutItem[] = []
  const cutter = createJsonCutter(keys, (item) => items.push(item))
  let at = 0
  for (const length of lengths) {
    cutter.add(text.slice(at, at + length))
    at += length
  }
  cutter.add(text.slice(at))
  return { items, frame: cutter.finish() }
}

/** A text with the items back in their places. */
function whole({ items, frame }: ReturnType<typeof cut>, list: string): unknown {
  const value = JSON.parse(frame.text)
  for (const outer of value.a) outer[list] = outer[list].map((number: number) => JSON.parse(items[number]?.text ?? ''))
  return value
}

const scalar = fc.oneof(fc.integer(), fc.string(), fc.constantFrom('b', '"', '\\', '[', '}', ',', '\r\n', null, true))
const value = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
})).value

test('items and frame are the text, in whatever parts it arrives', () => {
  const outer = fc.record({ x: value, b: fc.array(value, { maxLength: 4 }), y: value })
  const lengths = fc.array(fc.nat(9))
  fc.assert(
    fc.property(
      fc.record({ z: value, a: fc.array(outer, { maxLength: 3 }) }),
      fc.constantFrom(0, 2),
      lengths,
      (all, indent, parts) => {
        const text = JSON.stringify(all, undefined, indent)
        const done = cut(text, ['a', 'b'], parts)
        expect(whole(done, 'b')).toEqual(JSON.parse(text))
        expect(done.items.map(({ place }) => place)).toEqual(
          all.a.flatMap(({ b }, first) => b.map((_, second) => [first, second])),
        )
        const lines = new Lines(text)
        for (const { text: item, start } of done.items) {
          const found = lines.line(start.line).slice(start.column - 1)
          expect(found.startsWith(item.split('\n')[0] ?? '')).toBe(true)
        }
      },
    ),
  )
})

describe('cutting', () => {
  test.each([
    ['{"a":[]}', '{"a":[]}', []],
    ['{"a":[ ]}', '{"a":[ ]}', []],
    ['{"a":[1, {"a":[2]}]}', '{"a":[0,1]}', ['1', ' {"a":[2]}']],
    ['{"\\u0061":[1]}', '{"\\u0061":[0]}', ['1']],
    ['{"b":{"a":[1]},"c":[[1]],"a":{"a":[1]}}', '{"b":{"a":[1]},"c":[[1]],"a":{"a":[1]}}', []],
    // Syntax errors stay where a parser finds them.
    ['{"a":[1,]}', '{"a":[0,]}', ['1']],
    ['{"a":[1}', '{"a":[0}', ['1']],
    ['{"a":[{"b":2', '{"a":[{"b":2', []],
    ['[1]', '[1]', []],
    ['"', '"', []],
  ])('%s', (text, frame, items) => {
    const done = cut(text, ['a'])
    expect(done.frame.text).toBe(frame)
    expect(done.items.map((item) => item.text)).toEqual(items)
  })

  test.each([
    ['{"a":[1,22,3] x', '{"a":[0,1,2] '.length],
    ['\ufeff{"a":[\n{\r\n},\r2\n]\n,\n  x', undefined],
    ['x{"a":[1]}', 0],
  ])('a position in the frame is one in the text: %j', (text, offset) => {
    const { frame } = cut(text, ['a'])
    const inFrame = new Lines(frame.text).position(offset ?? frame.text.indexOf('x'))
    expect(frame.whole(inFrame)).toEqual(new Lines(text).position(text.indexOf('x')))
  })
})
