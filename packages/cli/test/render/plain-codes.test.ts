import { expect, test } from 'vitest'
import { plainCodes } from '../../src/render/plain-codes.ts'

test('every code is a word with a sentence', () => {
  expect(plainCodes.size).toBeGreaterThan(30)
  for (const [code, summary] of plainCodes) {
    expect(code).toMatch(/^[a-z_]+$/)
    expect(summary).toMatch(/^[A-Z].*\.$/)
  }
})
