import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markdownCode } from '../../src/syntax/markdown.ts'
import { HOSTILE } from '../results.ts'

test('untrusted text is always code', () => {
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
