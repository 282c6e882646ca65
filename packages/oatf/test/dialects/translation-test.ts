/** Runs one translation alone: documents in, documents out. */
import { isRecord, readSource, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../src/dialects/edits.ts'
import { placesIn } from '../../src/dialects/places.ts'
import { dialectTable } from '../../src/dialects/table.ts'

/** A state or an indicator, as YAML. */
export interface Case {
  readonly name: string
  readonly before: string
  /** What it becomes; a case without it stays untouched. */
  readonly after?: string
  /** Where the first finding is, relative to the given part. */
  readonly at?: readonly (string | number)[]
  /** Part of its message. */
  readonly says?: string
}

/** Cases for one code, each a part of a document: `around` puts it into one, `part` is the path back to it. */
export function testTranslation(
  code: string,
  around: (part: Value) => Value,
  part: readonly (string | number)[],
  cases: readonly Case[],
): void {
  const row = dialectTable.find((candidate) => candidate.code === code)
  describe(code, () => {
    test.each(cases.map((one) => [one.name, one] as const))('%s', (_, { before, after, at, says }) => {
      const document = around(read(before))
      const written = JSON.stringify(document)
      const found = row?.find(placesIn(document)) ?? []
      const translated = applyEdits(
        document,
        found.flatMap(({ edits }) => edits),
      )
      expect(valueAt(translated, part)).toEqual(read(after ?? before))
      expect(JSON.stringify(document)).toBe(written)
      expect(found.length > 0).toBe(after !== undefined)
      if (at !== undefined) expect(found[0]?.at).toEqual([...part, ...at])
      if (says !== undefined) expect(found[0]?.message).toContain(says)
      expect(row?.find(placesIn(translated))).toEqual([])
    })
  })
}

/** Puts each state into a document with one actor. */
export function testState(code: string, mode: string, cases: readonly Case[]): void {
  const around = (state: Value): Value => ({ oatf: '0.1', attack: { execution: { mode, state } } })
  testTranslation(code, around, ['attack', 'execution', 'state'], cases)
}

/** Puts each indicator into a document with no others. */
export function testIndicator(code: string, cases: readonly Case[]): void {
  const around = (indicator: Value): Value => ({
    oatf: '0.1',
    attack: { execution: { mode: 'mcp_server', state: {} }, indicators: [indicator] },
  })
  testTranslation(code, around, ['attack', 'indicators', 0], cases)
}

export function read(yaml: string): Value {
  const source = readSource(yaml)
  if (!source.ok) throw new Error(source.error.map(({ message }) => message).join('\n'))
  return source.value.value
}

export function valueAt(value: Value, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return at[Number(step)]
    return isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }, value)
}
