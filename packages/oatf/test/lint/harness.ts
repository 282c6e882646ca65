import { defaultLimits, messageWithHint } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { celLibrary } from '../../src/adapters/cel-library.ts'
import { lintContext } from '../../src/lint/context.ts'
import { runLint } from '../../src/lint/run.ts'
import { lintTable } from '../../src/lint/table.ts'
import { parse } from '../../src/parse.ts'
import { validate } from '../../src/validate.ts'
import { walkDocument } from '../../src/walk/walk.ts'

interface LintCases {
  /** Documents without a finding of this rule. */
  readonly valid: readonly string[]
  /** Documents with the paths of all findings of this rule, in order. */
  readonly invalid: readonly (readonly [text: string, ...paths: string[]])[]
  /** A part of the message of each invalid document's first finding, in order. */
  readonly messages: readonly string[]
}

/** Runs one lint rule alone over documents, which have to be valid. */
export function testLint(code: string, cases: LintCases): void {
  describe(code, () => {
    test.each(cases.valid.map((text) => [text]))('is content with %#', (text) => {
      expect(lintFindings(code, text)).toEqual([])
    })
    test.each(cases.invalid.map(([text, ...paths]) => [text, paths] as const))('reports %#', (text, paths) => {
      expect(lintFindings(code, text).map((found) => found.path)).toEqual(paths)
    })
    test('reports the message, clause and position', () => {
      const found = cases.invalid.map(([text]) => lintFindings(code, text)[0])
      expect(found.map((one) => (one === undefined ? '' : messageWithHint(one)))).toEqual(
        cases.messages.map((part) => expect.stringContaining(part)),
      )
      for (const one of found) {
        expect(one).toMatchObject({ code, spec_ref: expect.stringMatching(/^§\d/) })
        expect(one?.line).toBeGreaterThan(0)
      }
    })
  })
}

/** The findings of one lint rule. */
function lintFindings(code: string, text: string) {
  const row = lintTable.find((candidate) => candidate.code === code)
  if (row === undefined) throw new Error(`no lint rule ${code} in the table`)
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.error.map(({ message, path }) => `${path}: ${message}`).join('\n'))
  const { errors } = validate(parsed.value)
  if (errors.length > 0) throw new Error(errors.map(({ message, path }) => `${path}: ${message}`).join('\n'))
  return runLint([row], lintContext(walkDocument(parsed.value), celLibrary, defaultLimits))
}

/** A document with one state and, after it, more lines of the attack. */
export function withState(mode: string, state: string, rest = ''): string {
  return `oatf: "0.1"\nattack:\n  execution:\n    mode: ${mode}\n    state:\n${indent(state, 6)}\n${indent(rest, 2)}\n`
}

/** A document with phases. */
export function withPhases(mode: string, phases: string, rest = ''): string {
  return `oatf: "0.1"\nattack:\n  execution:\n    mode: ${mode}\n    phases:\n${indent(phases, 6)}\n${indent(rest, 2)}\n`
}

/** A document with actors. */
export function withActors(actors: string, rest = ''): string {
  return `oatf: "0.1"\nattack:\n  execution:\n    actors:\n${indent(actors, 6)}\n${indent(rest, 2)}\n`
}

/** One indicator as lines of the attack. */
export function indicator(...fields: string[]): string {
  return `indicators:\n  - ${fields.join('\n    ')}`
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by))
}
