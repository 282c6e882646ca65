import { describe, expect, test } from 'vitest'
import { renderGithub } from '../../src/results/github.ts'
import { results, twoTargets } from '../results.ts'

describe('GitHub annotations', () => {
  const text = renderGithub(results)

  test('match the golden file', async () => {
    await expect(text).toMatchFileSnapshot('golden/annotations.txt')
  })

  test('have one line per attack, worst first', () => {
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

  test('contain the reason and the exposure', () => {
    expect(text).toContain(
      '::inconclusive%0Athe agent never came%0Athe agent was sent 2 of 3 planted texts; the bait: ',
    )
  })

  test('name the target if there are several', () => {
    const titles = renderGithub(twoTargets).match(/title=JOUST-101 [^:]*/g)
    expect(titles).toEqual(['title=JOUST-101 Leak on clerk', 'title=JOUST-101 Leak on deputy'])
  })
})
