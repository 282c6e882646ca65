import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits, patchText, readSource, type Value } from '../../src/index.ts'
import { sameValue } from '../../src/patch/same-value.ts'
import { read, record, text as anyText, value as anyValue } from '../support.ts'
import { type Draw, draws, writeFreely } from './yaml-writer.ts'

/** The text after a change of its value. */
function patch(text: string, change: (value: never) => unknown): string {
  const result = patchText(text, change(structuredClone(read(text).value) as never) as Value)
  if (!result.ok) expect.unreachable(JSON.stringify(result.error))
  expect(result.value.rewritten).toEqual([])
  expect(applyEdits(text, result.value.edits)).toBe(result.value.text)
  return result.value.text
}

const word = fc.stringMatching(/^[a-z]{1,4}$/)
const leaf = fc.oneof(word, word, anyText, fc.constantFrom<Value>(null, true, 1, 2.5, 'two words', 'line\nline\n', 'a\n\n  b'))
const tree: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(word, tie('value')), { maxLength: 4 }).map(record),
  ),
})).value

/** A value with something changed somewhere. */
function mutate(value: Value, fresh: Value, draw: Draw): Value {
  if (typeof value !== 'object' || value === null || draw(6) === 0) return fresh
  if (Array.isArray(value)) {
    const items = [...value]
    const at = draw(items.length + 1)
    if (draw(3) === 0) items.splice(at, 0, fresh)
    else if (draw(3) === 0) items.splice(at, 1)
    else if (items[at] !== undefined) items[at] = mutate(items[at], fresh, draw)
    return items
  }
  const entries: [string, Value][] = Object.entries(value)
  const at = draw(entries.length + 1)
  const entry = entries[at]
  if (entry === undefined || draw(3) === 0) entries.splice(at, 0, [`new${draw(3)}`, fresh])
  else if (draw(4) === 0) entries.splice(at, 1)
  else if (draw(4) === 0) entries[at] = [`other${draw(3)}`, draw(2) === 0 ? entry[1] : fresh]
  else entries[at] = [entry[0], mutate(entry[1], fresh, draw)]
  return record(entries)
}

describe('for any text and any change', () => {
  test('the text reads as wished, has its comments, and a second time nothing changes', () => {
    let rewritten = 0
    fc.assert(
      fc.property(tree, fc.array(tree, { minLength: 1, maxLength: 3 }), fc.integer(), (value, fresh, seed) => {
        const draw = draws(seed)
        const text = writeFreely(value, draw)
        const source = readSource(text)
        fc.pre(source.ok && sameValue(source.value.value, value))
        const wished = fresh.reduce((now, part) => mutate(now, part, draw), value)
        const result = patchText(text, wished)
        if (!result.ok) expect.unreachable(`${JSON.stringify(result.error)}\n${text}`)
        if (result.value.rewritten.length > 0) rewritten++
        const patched = read(result.value.text)
        expect(sameValue(patched.value, wished)).toBe(true)
        const say = (from: typeof patched): string[] =>
          from.comments().map((offset) => /^#[^\r\n]*/.exec(from.text.slice(offset))?.[0].trimEnd() ?? '').sort()
        expect(say(patched)).toEqual(say(read(text)))
        expect(applyEdits(text, result.value.edits)).toBe(result.value.text)
        expect(patchText(result.value.text, wished)).toMatchObject({ value: { edits: [] } })
      }),
      { numRuns: Number(process.env.RUNS ?? 500) },
    )
    console.log('rewritten', rewritten)
  })

  test('an unrelated value is written, too', () => {
    fc.assert(
      fc.property(tree, anyValue, fc.integer(), (value, wished, seed) => {
        const text = writeFreely(value, draws(seed))
        fc.pre(readSource(text).ok)
        const result = patchText(text, wished)
        expect(result.ok && sameValue(read(result.value.text).value, wished)).toBe(true)
      }),
    )
  })
})
