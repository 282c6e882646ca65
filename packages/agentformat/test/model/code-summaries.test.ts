import { expect, test } from 'vitest'
import { agentCodeSummaries } from '../../src/model/code-summaries.ts'
import { agentCodes } from '../../src/model/diagnostic.ts'

test('every code has a sentence of its own', () => {
  const sentences = Object.values(agentCodeSummaries)
  expect(Object.keys(agentCodeSummaries).sort()).toEqual(Object.keys(agentCodes).sort())
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
