/** The facts from outside a run, as the last line of a trace has them. */
import { expect, test } from 'vitest'
import { knownIn } from '../../src/trace/known.ts'

test('the calls of the conversation are read, and invalid ones dropped', () => {
  const main = { prompts: ['0a', '0b'], tools: true }
  expect(knownIn({ main })).toEqual({ main })
  expect(knownIn({ main: { prompts: ['0a', 1], tools: 'yes' } })).toEqual({ main: { prompts: ['0a'] } })
  expect(knownIn({ main: { tools: true } })).toBeUndefined()
})
