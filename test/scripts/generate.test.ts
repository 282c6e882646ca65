import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultRunLimits, diagnosticTable } from '@joust/arena'
import { defaultLimits } from '@joust/source'
import { expect, test } from 'vitest'
import { bounds } from '../../packages/arena/src/model/limits.ts'
import { fillMarked, limitDescriptions } from '../../scripts/generated-text.ts'
import { limitFiles, renderPages } from '../../scripts/render-tables.ts'
import { repositoryRoot } from '../../scripts/repository.ts'

test('text between markers is replaced, the rest stays', () => {
  const text = 'a\n<!-- x:begin -->\nold\n<!-- x:end -->\nb\n'
  const filled = fillMarked(text, 'x', 'new')
  expect(filled).toBe('a\n<!-- x:begin -->\nnew\n<!-- x:end -->\nb\n')
  expect(fillMarked(filled, 'x', 'new')).toBe(filled)
  expect(() => fillMarked('a', 'x', 'new')).toThrow('<!-- x:begin -->')
})

test('every limit has a description', () => {
  const text = limitFiles.map((file) => readFileSync(join(repositoryRoot(), file), 'utf8')).join('\n')
  const names = [defaultLimits, defaultRunLimits, bounds].flatMap((limits) => Object.keys(limits))
  expect([...limitDescriptions(text).keys()]).toEqual(names)
})

test('a table row keeps its cells', () => {
  const rules = [{ code: 'V-001', level: 'error', section: '§1', summary: 'one | two', check: () => {} }] as const
  const tables = {
    rules,
    lints: [],
    steps: [],
    bindings: [],
    limits: defaultLimits,
    runLimits: defaultRunLimits,
    runBounds: bounds,
    diagnostics: diagnosticTable,
  }
  const [page] = renderPages(tables, new Map())
  expect(page?.file).toBe('docs/generated/rules.md')
  expect(page?.text).toContain('| V-001 | error | §1     | one \\| two     |')
})
