/** Calls to real servers in a real browser: the note above all attacks, and the table of a trial. */
import type { ThroughCall } from '@joust/results'
import { expect } from 'vitest'
import { renderHtml } from '../../src/html/report.ts'
import { browserTests } from './browser.ts'
import { attack, entry, opening, results, trial } from './sample.ts'

const inBrowser = await browserTests()
const hostile = '<img src=x onerror=document.title=1>'
const call: ThroughCall = {
  server: 'files',
  tool: 'read_file',
  decision: 'passed',
  answer: 'server',
  reason: 'it is read-only and not a sink',
  calls: 3,
  overlaid: 1,
}
const held: ThroughCall = {
  ...call,
  tool: hostile,
  decision: 'held',
  answer: 'schema',
  reason: 'it is a sink',
  calls: 1,
}
const report = () =>
  renderHtml(results([attack('leak', { trials: [trial(1, { through: [call, held] })] })]), opening([entry(1)]))

inBrowser('calls of real servers are counted above all attacks, and listed for a trial', report, async (page) => {
  expect(await page.text('main')).toContain('real servers: 3 calls passed on, 1 held back')
  await page.go('#/help-desk/leak/1')
  await page.until(`document.querySelector('.through-calls') !== null`)
  expect(await page.count('.through-calls tbody tr')).toBe(2)
  expect(await page.text('.through-calls tbody tr:first-child')).toContain('it is read-only')
  expect(await page.text('.through-calls tbody tr:last-child')).toContain(hostile)
})
