import type { Path, Value } from '@joust/source'
import { messageWithHint } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { checkAgent, parseAgent } from '../../src/index.ts'
import { edited, textOf, validDocuments } from '../valid-documents.ts'

const tool = ['action_space', 'local_tools', 0] as const
const server = ['action_space', 'mcp_servers', 0] as const

const withField = (path: Path, value: Value = true): string => textOf(edited(validDocuments['agf.react'], path, value))

describe('R-05, OPEN-2: an unknown field', () => {
  test.each<[Path, string, string, string | undefined]>([
    [['notes'], 'the field "notes" is not known here and has no effect.', 'R-05', undefined],
    [
      ['metadata', 'autors'],
      'the field "autors" is not known here and has no effect. Did you mean "authors"?',
      'R-05',
      undefined,
    ],
    [
      [...tool, 'aproval'],
      'the field "aproval" is not known here and has no effect: it protects nothing. Did you mean "approval"?',
      'OPEN-2',
      'high',
    ],
    [
      [...server, 'allow_tools'],
      'the field "allow_tools" is not known here and has no effect: it protects nothing. Did you mean "allowed_tools"?',
      'OPEN-2',
      'high',
    ],
    [
      ['max_steps'],
      'the field "max_steps" is not known here and has no effect: it protects nothing.',
      'OPEN-2',
      'high',
    ],
    [['x-vendor'], 'the field "x-vendor" is not known here and has no effect', 'OPEN-2', 'info'],
    [[...tool, 'x-approval'], 'the field "x-approval" is not known here and has no effect', 'OPEN-2', 'info'],
  ])('%j warns', (path, message, rule, level) => {
    const { document, diagnostics } = checkAgent(withField(path))
    expect(document).toBeDefined()
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown_field', rule }])
    expect(diagnostics.map(messageWithHint)).toEqual([message])
    expect(diagnostics[0]?.level).toBe(level)
  })

  test('is shown by its name', () => {
    const { diagnostics } = checkAgent(`notes: a\n${textOf(validDocuments['agf.batch'])}`, { file: 'a' })
    expect(diagnostics).toMatchObject([{ file: 'a', path: 'notes', line: 1, column: 1, end_column: 6 }])
  })

  test('R-03: is not an error', () => {
    expect(parseAgent(withField(['notes'])).ok).toBe(true)
  })

  test('R-04: is left in the document', () => {
    expect(checkAgent(withField(['notes'])).document).toMatchObject({ notes: true })
  })

  test('R-06: is an error in strict mode, and the document is still there', () => {
    for (const path of [['notes'], [...tool, 'aproval'], ['x-vendor']]) {
      const { document, diagnostics } = checkAgent(withField(path), { strict: true })
      expect(diagnostics).toMatchObject([{ severity: 'error', code: 'unknown_field' }])
      expect(document).toBeDefined()
      expect(parseAgent(withField(path), { strict: true }).ok).toBe(false)
    }
  })
})

test('more unknown fields than anybody reads are counted', () => {
  const surplus = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, index]))
  const { diagnostics } = checkAgent(textOf({ ...validDocuments['agf.react'], ...surplus }))
  expect(diagnostics).toHaveLength(200)
  expect(diagnostics.at(-1)?.message).toMatch(/\(19800 more are not listed\)$/)
})
