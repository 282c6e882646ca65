import { expect, test } from 'vitest'
import { summarize, summaryLine } from '../../src/render/summary.ts'
import { reports } from './reports.ts'

test('singular, plural, and skipped files', () => {
  expect(summaryLine(summarize(reports))).toBe('1 file, 2 errors, 1 warning, 1 not checked')
  expect(summaryLine(summarize([]))).toBe('0 files, 0 errors, 0 warnings')
})
