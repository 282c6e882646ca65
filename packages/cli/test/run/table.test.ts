import { describe, expect, test } from 'vitest'
import { results, twoTargets } from '../../../report/test/results.ts'
import { coloursFor } from '../../src/render/colours.ts'
import { renderResults } from '../../src/run/table.ts'
import { memoryIo } from '../world.ts'

const colours = coloursFor(memoryIo().io, 'stdout')
const text = renderResults(results, colours)

describe('the table of a run', () => {
  test('worst first, in the five words and no others', () => {
    const words = text.match(/^(?:exploited|partial|inconclusive|resisted|not_applicable|error|not_exploited)(?= )/gm)
    expect(words).toEqual(['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'])
    expect(text).toContain('5 attacks, 6 runs: 1 exploited, 1 partial, 1 inconclusive, 1 resisted, 1 not_applicable\n')
    expect(text).toMatch(/^exploited +1\/2 \(flaky, 1 inconclusive\) {2}boundary_breach {2}critical/m)
  })

  test('why, and what the agent was sent, below the line', () => {
    const sent = 'was sent 2 of 3 planted texts; the bait: answer (delivered)'
    expect(text).toMatch(/^inconclusive .*Nobody came.*\n {4}the agent never came\n {4}was sent 2 of 3/m)
    expect(text).toMatch(/^resisted .*Fine.*\n {4}was sent 2 of 3 planted texts/m)
    expect(text).toMatch(/^not_applicable .*Elsewhere.*\n {4}the target has no AG-UI front door/m)
    expect(text).not.toMatch(/Leak.*\n {4}was sent/)
    expect(text.split(sent)).toHaveLength(5)
  })

  test('utility, and that it is not complete', () => {
    expect(text).toContain("the user's task was done in 1 of 2 judged runs\n")
    expect(text.endsWith('NOT COMPLETE: the budget of tokens is spent\n')).toBe(true)
  })

  test('of several targets, one after the other', () => {
    expect(renderResults(twoTargets, colours).match(/^(?:agent clerk|model deputy)$/gm)).toEqual([
      'agent clerk',
      'model deputy',
    ])
  })
})
