import { describe, expect, test } from 'vitest'
import { renderGithub } from '../../src/results/github.ts'
import { results } from '../results.ts'

describe('GitHub annotations', () => {
  const text = renderGithub(results)

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
