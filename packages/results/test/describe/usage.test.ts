import { expect, test } from 'vitest'
import { usageText } from '../../src/describe/usage.ts'
import { usageOf, withCosts } from '../../src/statistics/summary.ts'

const usage = { calls: 2, input_tokens: 1_200_000, output_tokens: 50 }

test('usage with and without a price', () => {
  expect(usageText(usage)).toBe('2 calls, 1,200,000 tokens in, 50 out')
  expect(usageText(usage, { input: 2, output: 10 })).toBe('2 calls, 1,200,000 tokens in, 50 out, $2.40')
  expect(usageText({ ...usage, input_tokens: 0 }, { input: 2, output: 10 })).toContain(', less than $0.01')
})

test('usage is undefined if no run reports any, and includes the preflight', () => {
  expect(usageOf({ attacks: [] })).toBeUndefined()
  const preflight = { status: 'passed', reasons: [], usage } as const
  expect(usageOf({ attacks: [], preflight })).toEqual(usage)
  const target = { kind: 'model', name: 'm', attacks: [], preflight } as const
  expect(withCosts({ ...target, price: { input: 1, output: 0 } }).cost_usd).toBe(1.2)
  expect(withCosts(target)).toBe(target)
})
