import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { AgentDiagnostic, AgentDocument } from '../src/index.ts'
import { checkAgent, parseAgent } from '../src/index.ts'
import { edited, textOf, validDocuments } from './valid-documents.ts'

const react = validDocuments['agf.react']
const batch = textOf(validDocuments['agf.batch'])

describe('parseAgent', () => {
  test('returns the document as written', () => {
    const parsed = parseAgent(batch)
    expect(parsed.ok && parsed.value).toEqual(validDocuments['agf.batch'])
    expectTypeOf(parsed).toExtend<{ ok: true; value: AgentDocument } | { ok: false; error: AgentDiagnostic[] }>()
  })

  test('converts every number to a double', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', maximum: 9007199254740993n } } }
    const parsed = parseAgent(textOf(edited(react, ['interface', 'input'], schema)))
    expect(parsed.ok && JSON.stringify(parsed.value)).toContain('"maximum":9007199254740992')
  })

  test('reads JSON', () => {
    expect(parseAgent(JSON.stringify(react)).ok).toBe(true)
  })

  test('returns errors only; checkAgent returns warnings too', () => {
    const text = `notes: a\n${textOf(edited(react, ['metadata', 'id'], 'A'))}`
    const parsed = parseAgent(text)
    expect(!parsed.ok && parsed.error.map(({ code }) => code)).toEqual(['schema_violation'])
    expect(checkAgent(text).diagnostics.map(({ code }) => code)).toEqual(['unknown_field', 'schema_violation'])
  })
})

describe('OPEN-4: the dialect', () => {
  test('a version needs no quotes', () => {
    expect(parseAgent(batch.replace(/schema_version: .*/, 'schema_version: 1.0.0')).ok).toBe(true)
    expect(parseAgent(batch.replace(/schema_version: .*/, 'schema_version: 1.0')).ok).toBe(false)
  })

  test.each([
    ['a tab for indentation', 'metadata:\n\tid: a', 2],
    ['two documents', `${batch}---\n${batch}`, undefined],
    ['no document', '# nothing\n', 1],
    ['a key twice', `${batch}memory: {}\nmemory: {}\n`, undefined],
    ['a tag of its own', `${batch}memory: !mine {}\n`, undefined],
    ['a merge key', `${batch}x-a: &a {}\nmemory:\n  <<: *a\n`, undefined],
    ['a circle', 'a: &a [*a]', 1],
    ['an alias bomb', bomb(), undefined],
    ['too deep', `a: ${'['.repeat(200)}${']'.repeat(200)}`, undefined],
  ])('%s is rejected', (_name, text, line) => {
    const { document, diagnostics } = checkAgent(text, { file: 'a' })
    expect(document).toBeUndefined()
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'yaml_syntax', file: 'a', ...(line ? { line } : {}) },
    ])
  })

  test('tags and merge keys are reported at their position', () => {
    const [tag, merge] = checkAgent('a: !mine 1\nb: &b {}\nc: { <<: *b }').diagnostics
    expect(tag).toMatchObject({
      rule: 'OPEN-4',
      message: 'the tag !mine is not allowed',
      path: 'a',
      line: 1,
      column: 4,
    })
    expect(merge).toMatchObject({
      message: 'the merge key "<<" is not part of YAML 1.2; write out the fields',
      line: 3,
      column: 6,
    })
  })

  test('anchors and aliases are allowed', () => {
    const text = batch.replace('description: Does things.', 'description: &what Does things.').concat('x-what: *what\n')
    expect(checkAgent(text).diagnostics).toMatchObject([{ code: 'unknown_field', level: 'info' }])
  })

  test('limits can be changed', () => {
    expect(checkAgent(batch, { limits: { yamlBytes: 10 } }).diagnostics).toMatchObject([{ code: 'yaml_syntax' }])
  })
})

describe('a text that is not a document', () => {
  test.each(['null', '5', 'text', '[]', '- a', 'true'])('%s', (text) => {
    expect(checkAgent(text)).toMatchObject({
      diagnostics: [{ severity: 'error', code: 'schema_violation', path: '', line: 1, column: 1 }],
    })
  })
})

describe('never throws', () => {
  test('for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseAgent(text).ok).toBe(false)
      }),
    )
  })

  test('for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { document, diagnostics } = checkAgent(JSON.stringify(value))
        expect(document).toBeUndefined()
        expect(diagnostics.length).toBeGreaterThan(0)
      }),
    )
  })
})

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++)
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    )
  return lines.join('\n')
}
