import { describe, expect, test } from 'vitest'
import { manyResults, results, resultsWith, twoTargets } from '../../../report/test/results.ts'
import { columnsOf } from '../../src/render/fit.ts'
import { renderResults } from '../../src/render/results-table.ts'
import { coloursFor } from '../../src/terminal/colours.ts'
import { memoryIo } from '../world.ts'

const colours = coloursFor(memoryIo().io, 'stdout')
const text = renderResults(results, colours)

describe('the table of a run', () => {
  test('worst first, in the five words and no others', () => {
    const words = text.match(/^(?:exploited|partial|inconclusive|resisted|not_applicable|error|not_exploited)(?= )/gm)
    expect(words).toEqual(['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'])
    expect(text).toContain('5 attacks, 6 runs: 1 exploited, 1 partial, 1 inconclusive, 1 resisted, 1 not_applicable\n')
    expect(text).toMatch(/^exploited +1\/2 {2}critical {2}JOUST-101 .*\n {4}of 3 trials: flaky, 1 inconclusive\n/m)
  })

  test('reasons and exposure below the line', () => {
    expect(text).toMatch(/^inconclusive .*No connection.*\n {4}the agent never came\n {4}was sent 2 of 3/m)
    expect(text).toMatch(/^resisted .*Fine.*\n {4}was sent 2 of 3 planted texts/m)
    expect(text).toMatch(/^not_applicable .*Elsewhere.*\n {4}the target has no AG-UI interface/m)
    expect(text).not.toMatch(/Leak.*\n {4}was sent/)
    expect(text).not.toMatch(/Elsewhere.*\n.*\n {4}was sent/)
  })

  test('an exploited agent: description, sender, receiver and matched text', () => {
    expect(text).toMatch(
      /^exploited .*Leak.*\n.*\n {4}The key was sent\.\n {4}agent → mail, tools\/call, arguments\.text: the key is 1234, please$/m,
    )
  })

  test('utility, and that it is not complete', () => {
    expect(text).toContain("the user's task was done in 1 of 2 judged runs\n")
    expect(text.endsWith('INCOMPLETE: the budget of tokens is spent\n')).toBe(true)
  })

  test('of several targets, one after the other', () => {
    expect(renderResults(twoTargets, colours).match(/^(?:agent clerk|model deputy)$/gm)).toEqual([
      'agent clerk',
      'model deputy',
    ])
  })
})

test('each of several targets has the reason of its failed preflight', () => {
  const targets = twoTargets.targets.map((target, index) => ({
    ...target,
    preflight: { status: 'failed' as const, reasons: [`reason ${index}`] },
  }))
  const said = renderResults({ ...twoTargets, targets }, colours).match(/^preflight failed: .*$/gm)
  expect(said).toEqual(['preflight failed: reason 0', 'preflight failed: reason 1'])
})

describe('a terminal of 60 columns', () => {
  const [leak, ...others] = results.targets[0]?.attacks ?? []
  const named = (name: string, severity: 'low' | 'critical', more: object = {}) => ({
    ...leak,
    file: `${name}.yaml`,
    attack: { ...leak?.attack, id: `ID-${name.length}`, name, severity, description: 'x'.repeat(200) },
    ...more,
  })
  const wide = '長い名前'.repeat(20)
  // Results as a suite produces them.
  const many = resultsWith([
    named('A name that says much more than fits into a line of a terminal', 'low'),
    named(wide, 'critical'),
    ...others,
  ] as unknown as Parameters<typeof resultsWith>[0])

  test('names are cut, tables are not', () => {
    const narrow = renderResults(many, colours, { columns: 60, verbose: true })
    for (const line of narrow.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(60)
    expect(narrow).toMatch(/^exploited +1\/2 {2}low {7}ID-62 +A name that says …$/m)
    expect(narrow).toMatch(/^capability… +2 +· +1 +· +·$/m)
    expect(narrow).not.toContain('library/')
  })

  test('successful attacks are sorted by severity', () => {
    const [first, second] = renderResults(many, colours).match(/^exploited.*$/gm) ?? []
    expect(first).toContain('critical')
    expect(second).toContain('low')
    expect(renderResults(many, colours).match(/^(?:critical|high|low|none)(?= )/gm)).toEqual([
      'critical',
      'high',
      'low',
      'none',
    ])
  })
})

test('attacks that a suite never came to are one line', () => {
  const unrun = (manyResults('x', 30).targets[0]?.attacks ?? []).map((one) => ({
    ...one,
    outcome: 'inconclusive' as const,
    reasons: ['the attack was not run'],
    trials: [],
  }))
  const stopped = renderResults({ ...resultsWith(unrun), stopped: { reason: 'preflight', message: 'no key' } }, colours)
  expect(stopped.split('\n')[0]).toBe('30 attacks were not run')
  expect(stopped).toContain('INCOMPLETE: no key\n')
  expect(stopped.split('\n').length).toBeLessThan(8)
})

test('attacks that are not applicable for the same reason are grouped', () => {
  const alike = (manyResults('x', 3).targets[0]?.attacks ?? []).map((one) => ({
    ...one,
    outcome: 'not_applicable' as const,
    reasons: ['it has no tools'],
    trials: [],
  }))
  const shown = renderResults(resultsWith(alike), colours)
  expect(shown).toMatch(/^(?:not_applicable .*\n){3} {4}it has no tools\n/)
})

describe('tokens and cost', () => {
  const usage = { calls: 2, input_tokens: 400_000, output_tokens: 100_000 }
  const [target] = results.targets
  const priced = (kind: 'model' | 'agent', name: string, price?: { input: number; output: number }) => {
    const attacks = (target?.attacks ?? []).map((one) => ({ ...one, trials: one.trials.map((t) => ({ ...t, usage })) }))
    const made = { ...results, targets: [{ kind, name, attacks, ...(price && { price }) }] }
    const text = renderResults(made, colours)
    // With a price, the sum of the attacks is that of the target.
    const ofAttacks = [...text.matchAll(/^ +model: .*\$([\d.]+)$/gm)].map(([, cost]) => Number(cost))
    expect(ofAttacks.reduce((sum, cost) => sum + cost, 0)).toBeCloseTo(price === undefined ? 0 : 9)
    return text.match(/^model: .*$/m)?.[0]
  }

  test('of a model', () => {
    const tokens = 'model: 12 calls, 2,400,000 tokens in, 600,000 out'
    expect(priced('model', 'openai/gpt-5')).toBe(`${tokens}; use --price IN,OUT to show the cost`)
    expect(priced('model', 'openai/gpt-5', { input: 1.25, output: 10 })).toBe(`${tokens}, $9.00`)
    expect(priced('model', 'sim/credulous')).toBe(tokens)
  })
})

test('a traceback is printed once, with its line breaks, dimmed', () => {
  const reason = 'ValueError: no key; the command exited with code 1\nTraceback:\n  File "a.py"\nValueError: no key'
  const [target] = results.targets
  const [one] = target?.attacks ?? []
  if (target === undefined || one === undefined) throw new Error('no attack')
  const failed = (file: string, reasons: string[]) => ({ ...one, file, outcome: 'inconclusive' as const, reasons })
  const attacks = [failed('a.yaml', [reason]), failed('b.yaml', [reason, 'no contact'])]
  const coloured = coloursFor(memoryIo({ env: { FORCE_COLOR: '1' } }).io, 'stdout')
  const lines = renderResults({ ...results, targets: [{ ...target, attacks }] }, coloured).split('\n')
  expect(lines.filter((line) => line.includes('ValueError: no key; the command'))).toHaveLength(2)
  expect(lines.filter((line) => line.includes('File "a.py"'))).toEqual([coloured.dim('        File "a.py"')])
  expect(lines.join('')).not.toContain('␊')
})

test('a failed preflight: the message first, then the traceback', () => {
  const stopped = {
    reason: 'preflight' as const,
    message: 'the preflight failed: E: no key\nTraceback:\n  File "a.py"',
  }
  const text = renderResults({ ...results, stopped }, colours)
  expect(text.endsWith('INCOMPLETE: the preflight failed: E: no key\n      Traceback:\n        File "a.py"\n')).toBe(
    true,
  )
})
