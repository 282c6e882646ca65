import { formatText, readSource, type Value, writeJson, writeYaml } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { versionFirst } from '../src/version-first.ts'
import { minimalText } from './documents.ts'
import { documents } from './generators.ts'

test('a text that begins with the version is unchanged', () => {
  for (const text of [minimalText, `# why\n${minimalText}`, 'oatf: [', 'attack: {}\n'])
    expect(versionFirst(text)).toBe(text)
})

test('the version of any document comes first, and the document stays the same', () => {
  const read = (text: string): unknown => {
    const source = readSource(text)
    return source.ok ? source.value.value : source.error
  }
  fc.assert(
    fc.property(documents, fc.boolean(), ({ oatf, ...others }, asJson) => {
      // A document is a plain value.
      const value = { ...others, oatf } as unknown as Value
      const text = asJson ? writeJson(value) : writeYaml(value)
      const made = versionFirst(text)
      expect(made).toMatch(/^(?:oatf|\{"oatf")/)
      expect(read(made)).toEqual(read(text))
      expect(versionFirst(made)).toBe(made)
      const laid = formatText(made)
      expect(laid.ok && versionFirst(laid.value)).toBe(laid.ok && laid.value)
    }),
    { numRuns: 50 },
  )
})
