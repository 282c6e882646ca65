import { readSource } from '@joust/source'
import { expect, test } from 'vitest'
import type { Document } from '../../src/model/document.ts'
import { originOf, setOrigin } from '../../src/model/origin.ts'

const document = (): Document => ({ oatf: '0.1', attack: { execution: {} } })
const read = readSource('oatf: "0.1"')
if (!read.ok) throw new Error('the text is plain YAML')
const source = read.value

test('a document remembers the text it came from', () => {
  expect(originOf(setOrigin(document(), source))).toBe(source)
})

test('and is not visible', () => {
  const parsed = setOrigin(document(), source)
  expect(parsed).toEqual(document())
  expect(Object.keys(parsed)).toEqual(['oatf', 'attack'])
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(document()))
  expect(originOf({ ...parsed })).toBeUndefined()
  expect(originOf(structuredClone(parsed))).toBeUndefined()
})

test.each([[null], [undefined], ['text'], [5], [[]], [{}]])('%j has no origin', (value) => {
  expect(originOf(value as unknown as Document)).toBeUndefined()
})
