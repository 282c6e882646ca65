import { defaultLimits, formatPath, messageWithHint, readSource } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { libraries } from '../../src/adapters/libraries.ts'
import type { Document } from '../../src/model/document.ts'
import { setOrigin } from '../../src/model/origin.ts'
import { runRules } from '../../src/rules/run.ts'
import { syntaxOf } from '../../src/rules/syntax.ts'
import { ruleTable } from '../../src/rules/table.ts'
import { walkDocument } from '../../src/walk/walk.ts'

interface RuleCases {
  /** Documents without a finding of this rule. */
  readonly valid: readonly string[]
  /** Documents with the paths of all findings of this rule, in order. */
  readonly invalid: readonly (readonly [text: string, ...paths: string[]])[]
  /** A part of the message of the first invalid document. */
  readonly message: string
}

/** Runs one rule alone over documents. */
export function testRule(code: string, cases: RuleCases): void {
  describe(code, () => {
    test.each(cases.valid.map((text) => [text]))('accepts %#', (text) => {
      expect(findings(code, text)).toEqual([])
    })
    test.each(cases.invalid.map(([text, ...paths]) => [text, paths] as const))('reports %#', (text, paths) => {
      expect(findings(code, text).map((found) => found.path)).toEqual(paths)
    })
    test('reports the message, clause and position', () => {
      const [found] = findings(code, cases.invalid[0]?.[0] ?? '')
      expect(found && messageWithHint(found)).toContain(cases.message)
      expect(found?.spec_ref).toMatch(/^§\d/)
      expect(found?.line).toBeGreaterThan(0)
    })
  })
}

/** The findings of one rule. The text need not have the shape of a document: rules see any value. */
export function findings(code: string, text: string) {
  const source = readSource(text)
  if (!source.ok) throw new Error(`${formatPath([])}${source.error[0]?.message}`)
  setOrigin(source.value.value as unknown as Document, source.value)
  return findingsIn(code, source.value.value)
}

/** The findings of one rule in a value that was built in memory. */
export function findingsIn(code: string, value: unknown) {
  const row = ruleTable.find((candidate) => candidate.code === code)
  if (row === undefined) throw new Error(`no rule ${code} in the table`)
  const result = runRules([row], walkDocument(value as Document), syntaxOf(libraries, defaultLimits))
  return [...result.errors, ...result.warnings]
}
