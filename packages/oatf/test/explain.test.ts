import { readSource } from '@joust/source'
import { expect, test } from 'vitest'
import { dialectTable } from '../src/dialects/table.ts'
import { translateDialects } from '../src/dialects/translate.ts'
import { explanations, type RuleExplanation } from '../src/explain.ts'
import { lintTable } from '../src/lint/table.ts'
import { parse } from '../src/parse.ts'
import { ruleTable } from '../src/rules/table.ts'
import { stepTable } from '../src/steps/table.ts'
import { validate } from '../src/validate.ts'

const all = explanations()

test('lists every row of the tables in code order, and the one code that is reported as another', () => {
  const codes = all.map((row) => row.code)
  expect(new Set(codes)).toEqual(
    new Set([...ruleTable, ...lintTable, ...dialectTable, ...stepTable].map((row) => row.code).concat('V-002')),
  )
  expect(codes).toHaveLength(new Set(codes).size)
  expect(codes.slice(0, 3)).toEqual(['V-001', 'V-002', 'V-003'])
  expect(codes.at(-1)).toBe(stepTable.at(-1)?.code)
})

test('V-002 is reported as W-001', () => {
  const row = all.find(({ code }) => code === 'V-002')
  expect(row).toMatchObject({ kind: 'rule', level: 'warning', section: '§11.1.2', reported_as: 'W-001' })
})

test.each([...ruleTable, ...lintTable].map((row) => [row.code, row] as const))(
  '%s names a mistake that can be made in its document',
  (_, { good, mistake: [part, instead] }) => {
    expect(good).toContain(part)
    expect(instead).not.toBe(part)
  },
)

const validated = all.filter((row) => row.kind === 'rule' && !row.code.startsWith('L-'))

test.each(validated.map((row) => [row.code, row as RuleExplanation] as const))(
  '%s finds nothing in its good document, and in its bad one the mistake',
  (code, { example: { good, bad, path }, reported_as: as = code }) => {
    expect(codesAndPaths(good)).not.toContainEqual(expect.objectContaining({ code: as }))
    expect(codesAndPaths(bad)).toContainEqual({ code: as, path })
  },
)

function codesAndPaths(text: string): { code: string; path: string | undefined }[] {
  const parsed = parse(text)
  const { errors, warnings } = parsed.ok ? validate(parsed.value) : { errors: parsed.error, warnings: [] }
  return [...errors, ...warnings].map(({ code, path }) => ({ code, path }))
}

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
