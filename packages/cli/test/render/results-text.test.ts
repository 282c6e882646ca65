import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownCode } from '../../src/render/markdown-code.ts'
import { renderResultsGithub } from '../../src/render/results-github.ts'
import { renderResultsMarkdown } from '../../src/render/results-markdown.ts'
import { HOSTILE, manyResults, results } from './results.ts'

describe('Markdown', () => {
  test('is as it was reviewed', async () => {
    await expect(renderResultsMarkdown(results)).toMatchFileSnapshot('golden/summary.md')
  })

  test('fits a comment, however much there is, and says what was left out', () => {
    const text = renderResultsMarkdown(manyResults('x'.repeat(1000), 2000))
    expect(text.length).toBeLessThan(60_000)
    expect(text).toMatch(/And \d+ more attacks\./)
    expect(renderResultsMarkdown(manyResults('a', 300)).length).toBeLessThan(60_000)
  })

  test('a task that could not be judged says why', () => {
    const fine = results.attacks.at(-1)
    const trial = fine?.trials[0]
    if (fine === undefined || trial === undefined) throw new Error('no trial')
    const diagnostics = [
      { severity: 'error', code: 'task-malformed', message: 'no indicators', path: 'attack.x-joust-task' } as const,
    ]
    const task = { ...trial.verdict, result: 'error', diagnostics } as const
    const text = renderResultsMarkdown({ ...results, attacks: [{ ...fine, trials: [{ ...trial, task }] }] })
    expect(text).toContain('| not known |')
    expect(text).toContain('  - `task not judged, task-malformed: no indicators (attack.x-joust-task)`')
  })

  test('nothing was run', () => {
    expect(renderResultsMarkdown({ ...results, attacks: [] })).toContain('0 of 0 attacks went through')
  })

  test('every row has the same cells, whatever the names are', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('|', '`', '\\', '\n', 'a') }),
    )
    fc.assert(
      fc.property(names, (name) => {
        const rows = renderResultsMarkdown(manyResults(name, 2))
          .split('\n')
          .filter((line) => line.startsWith('|'))
        expect(rows).toHaveLength(4)
        for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(7)
      }),
    )
  })

  test('foreign text is code from end to end', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.string({ unit: fc.constantFrom('`', '``', 'a', ' ', '\n', '<b>', '@a') }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const code = markdownCode(text)
        if (code === '–') return void expect(text.trim()).toBe('')
        const [fence = ''] = /^`+/.exec(code) ?? []
        expect(code.endsWith(fence)).toBe(true)
        const runs = code.slice(fence.length, -fence.length).match(/`+/g) ?? []
        expect(runs.filter((run) => run.length === fence.length)).toEqual([])
        expect(code).not.toContain('\n')
      }),
    )
    expect(markdownCode(HOSTILE)).not.toMatch(/[|\u202e]/)
  })
})

describe('GitHub annotations', () => {
  const text = renderResultsGithub(results)

  test('are as they were reviewed', async () => {
    await expect(text).toMatchFileSnapshot('golden/annotations.txt')
  })

  test('one line each, worst first', () => {
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => line.slice(0, line.indexOf(' ')))).toEqual([
      '::error',
      '::warning',
      '::warning',
      '::warning',
    ])
    expect(lines[0]).toContain('file=library/a b/leak.oatf.yaml,line=42,title=JOUST-101 Leak::exploited')
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning) /)
  })
})
