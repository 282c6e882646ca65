import { readSource } from '@joust/source'
import { expect, test } from 'vitest'
import { dialectTable } from '../src/dialects/table.ts'
import { translateDialects } from '../src/dialects/translate.ts'
import { explanations } from '../src/explain.ts'
import { lintTable } from '../src/lint/table.ts'
import { ruleTable } from '../src/rules/table.ts'
import { stepTable } from '../src/steps/table.ts'

const all = explanations()

test('every row of the tables is there, in code order, and the one code that is reported as another', () => {
  const codes = all.map((row) => row.code)
  expect(new Set(codes)).toEqual(
    new Set([...ruleTable, ...lintTable, ...dialectTable, ...stepTable].map((row) => row.code).concat('V-002')),
  )
  expect(codes).toHaveLength(new Set(codes).size)
  expect(codes.slice(0, 3)).toEqual(['V-001', 'V-002', 'V-003'])
  expect(codes.at(-1)).toBe('N-008')
})

test('V-002 is reported as W-001', () => {
  const row = all.find(({ code }) => code === 'V-002')
  expect(row).toMatchObject({ kind: 'rule', level: 'warning', section: '§11.1.2', reported_as: 'W-001' })
})

test.each(all.filter((row) => row.kind === 'rule').map((row) => [row.code, row] as const))(
  '%s has a good and a bad example',
  (_, row) => {
    expect(row.example?.path).toBeTypeOf('string')
    expect(row.example?.good).not.toBe(row.example?.bad)
  },
)

test.each(all.filter((row) => row.kind === 'step').map((row) => [row.code, row] as const))(
  '%s changes its example',
  (_, row) => {
    expect(row.example?.after).not.toBe(undefined)
    expect(row.example?.after.trim()).not.toBe(row.example?.before.trim())
  },
)

test.each(all.filter((row) => row.kind === 'dialect').map((row) => [row.code, row] as const))(
  '%s translates its example',
  (_, row) => {
    const translated = row.example === undefined ? undefined : readSource(row.example.good)
    expect(translated?.ok && translateDialects(translated.value.value)).toMatchObject({ translations: [] })
    const source = row.example === undefined ? undefined : readSource(row.example.bad)
    const told = source?.ok ? translateDialects(source.value.value).translations : []
    expect([...new Set(told.map(({ code }) => code))]).toEqual([row.code])
  },
)
