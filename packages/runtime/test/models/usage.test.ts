import { expect, test } from 'vitest'
import { tokensOf } from '../../src/models/usage.ts'

const call = { prompt: [{ role: 'system' as const, content: 'x'.repeat(400) }] }

function usage(input: number | undefined, output: number | undefined) {
  return {
    content: [{ type: 'text' as const, text: 'x'.repeat(80) }],
    usage: {
      inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: undefined, reasoning: undefined },
    },
  }
}

test('reported tokens count', () => {
  expect(tokensOf(usage(12, 3), call)).toEqual({ inputTokens: 12, outputTokens: 3, estimated: false })
  expect(tokensOf(usage(0, 0), call)).toEqual({ inputTokens: 0, outputTokens: 0, estimated: false })
})

test.each([
  [undefined, undefined],
  [Number.NaN, 3],
  [-5, 3],
])('what is not reported is estimated and marked: %s, %s', (input, output) => {
  const tokens = tokensOf(usage(input, output), call)
  expect(tokens.estimated).toBe(true)
  expect(tokens.inputTokens).toBeGreaterThan(99)
  expect(tokens.outputTokens).toBeGreaterThan(2)
})
