import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explanations } from '../src/explain.ts'
import { lintTable } from '../src/lint/table.ts'
import { lint } from '../src/lint.ts'
import type { Document } from '../src/model/document.ts'
import { normalize } from '../src/normalize.ts'
import { loadOnDemand } from '../src/on-demand.ts'
import { parse } from '../src/parse.ts'
import { serialize } from '../src/serialize.ts'
import { validate } from '../src/validate.ts'
import { deepFreeze } from './deep-value.ts'
import { anyJson, damaged } from './generators/garbage.ts'
import { documents, sampleDocuments } from './generators.ts'

const parsed = (text: string): Document => {
  const result = parse(text)
  if (!result.ok) throw new Error(result.error.map((error) => error.message).join('\n'))
  return result.value
}

const DEAD = `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      toools: []
  indicators:
    - target: response.content
      direction: response
      pattern: { contains: x }
`

test('findings are sorted, and have code, clause, path and position', () => {
  expect(lint(parsed(DEAD))).toEqual([
    {
      severity: 'error',
      code: 'L-013',
      spec_ref: '§7',
      message: 'unknown key "toools" in a state of mcp_server; it has no effect.',
      suggestion: { replace: 'key', with: 'tools' },
      path: 'attack.execution.state.toools',
      line: 6,
      column: 7,
      end_column: 13,
    },
    expect.objectContaining({ code: 'L-007', path: 'attack.indicators', line: 7, column: 3 }),
    expect.objectContaining({ code: 'L-001', path: 'attack.indicators[0].target', line: 8, column: 15 }),
  ])
})

test('one letter wrong: what cannot work is an error, what may not is a warning', () => {
  const errors = lintTable.filter(({ level }) => level === 'error').map(({ code }) => code)
  expect(errors).toEqual([
    'L-001',
    'L-003',
    'L-007',
    'L-010',
    'L-011',
    'L-012',
    'L-013',
    'L-014',
    'L-015',
    'L-016',
    'L-017',
    'L-018',
    'L-019',
    'L-022',
    'L-024',
    'L-026',
    'L-028',
    'L-029',
    'L-031',
    'L-032',
    'L-033',
    'L-034',
    'L-035',
    'L-036',
    'L-038',
    'L-040',
    'L-042',
    'L-043',
    'L-044',
  ])
})

test('a normalized document gets the same findings, by the paths of its own form', () => {
  const codes = (document: Document) => lint(document).map(({ code }) => code)
  expect(codes(normalize(parsed(DEAD))).sort()).toEqual(codes(parsed(DEAD)).sort())
  expect(lint(normalize(parsed(DEAD)))).toContainEqual(
    expect.objectContaining({ path: 'attack.execution.actors[0].phases[0].state.toools' }),
  )
})

describe('examples', () => {
  const rows = explanations().flatMap((row) => (row.kind === 'rule' && row.code.startsWith('L') ? [row] : []))

  test('every rule has one', () => {
    expect(rows.map(({ code }) => code)).toEqual(lintTable.map(({ code }) => code))
  })

  test.each(rows.map((row) => [row.code, row.example] as const))('%s', (code, example) => {
    const [good, bad] = [parsed(example?.good ?? ''), parsed(example?.bad ?? '')]
    for (const document of [good, bad]) expect(validate(document).errors).toEqual([])
    // Most examples are not about their bait.
    const others = lint(good).filter((found) => found.code === code || found.code !== 'L-020')
    expect(others).toEqual([])
    expect(lint(bad)).toContainEqual(expect.objectContaining({ code, path: example?.path }))
  })
})

describe('nothing throws, and nothing changes', () => {
  test('for any value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        lint(value as unknown as Document)
      }),
      { numRuns: 500 },
    )
  })

  test('on a document that was damaged', () => {
    fc.assert(
      fc.property(damaged(documents), (document) => {
        for (const found of lint(deepFreeze(document))) expect(found.message).not.toMatch(/undefined|\[object/)
      }),
      { numRuns: 300 },
    )
  })

  test.each([[undefined], [null], [5], ['text'], [[]], [{ attack: { indicators: [null, 1, {}] } }]])('%j', (value) => {
    expect(lint(value as unknown as Document)).toBeInstanceOf(Array)
  })

  test('on a circular value', () => {
    const state: Record<string, unknown> = { tools: [{ name: '{{a}}' }] }
    state.self = state
    const document = { oatf: '0.1', attack: { execution: { mode: 'mcp_server', state } } } as unknown as Document
    expect(lint(document)).toMatchObject([
      { severity: 'error', code: 'limit', message: 'the value has a circular reference' },
    ])
  })

  test('on a document with too many parts', () => {
    const phases = Array.from({ length: 20_000 }, () => ({ state: { actions: [] }, trigger: { event: 'ping' } }))
    const document = { oatf: '0.1', attack: { execution: { mode: 'mcp_client', phases } } } as unknown as Document
    expect(lint(document)).toEqual([])
    const fewer = { oatf: '0.1', attack: { execution: { mode: 'mcp_client', phases: phases.slice(0, 1000) } } }
    expect(lint(fewer as unknown as Document).map(({ code }) => code)).toContain('L-003')
  })

  test.each(['.', ':', '.:', '.a', '\\"'])('on a very long run of %s', (run) => {
    const text = `${run.repeat(60_000)}x`
    const pattern = { any_of: [text, `heron-551 ${text}`] }
    const indicators = [{ pattern }, { expression: { cel: `"${text}` } }]
    const execution = { mode: 'mcp_server', state: { instructions: text } }
    const began = performance.now()
    lint({ oatf: '0.1', attack: { execution, indicators } } as unknown as Document)
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('on a document that needs too many evaluations', () => {
    const tool = { name: 'a', description: 'a'.repeat(2000), responses: [{ content: { content: [] } }] }
    const indicator = { target: '', pattern: { regex: '(a|b)*(x|y)*z$' } }
    const document = {
      oatf: '0.1',
      attack: {
        execution: { mode: 'mcp_server', state: { tools: Array.from({ length: 200 }, () => tool) } },
        indicators: Array.from({ length: 200 }, () => indicator),
      },
    } as unknown as Document
    expect(lint(document).filter(({ code }) => code === 'L-008')).toHaveLength(200)
  })
})

describe('a loaded attack has the findings of lint, with the required libraries', () => {
  async function expectSame(text: string): Promise<void> {
    const loaded = await loadOnDemand(text, { strict: true })
    if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
    expect(loaded.value.lint).toEqual(lint(loaded.value.written))
    expect(loaded.value.lint).toBe(loaded.value.lint)
  }

  test('with and without expressions', async () => {
    await expectSame(DEAD)
    await expectSame(DEAD.replace('pattern: { contains: x }', 'expression: { cel: message.params == 1 }'))
  })

  test('any document', async () => {
    for (const document of sampleDocuments(40, 7)) await expectSame(serialize(document))
  })
})
