import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatText, readSource, type Value } from '../../src/index.ts'
import { sameValue } from '../../src/patch/same-value.ts'
import { draws, tree, writeFreely } from '../patch/yaml-writer.ts'
import { read } from '../support.ts'

function format(text: string): string {
  const result = formatText(text)
  if (!result.ok) expect.unreachable(`${JSON.stringify(result.error)}\n${text}`)
  return result.value
}

test('for any text the value and the comments stay, and a second time nothing changes', () => {
  fc.assert(
    fc.property(tree, fc.integer(), (value: Value, seed) => {
      const text = writeFreely(value, draws(seed))
      fc.pre(readSource(text).ok)
      const made = format(text)
      expect(sameValue(read(made).value, read(text).value)).toBe(true)
      expect(format(made)).toBe(made)
      expect(made).not.toMatch(/\r/)
    }),
    { numRuns: 200 },
  )
})
