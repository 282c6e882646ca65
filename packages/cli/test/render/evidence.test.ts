import { expect, test } from 'vitest'
import { excerpt, happenedLines } from '../../src/render/evidence.ts'
import { columnsOf } from '../../src/render/fit.ts'
import { coloursFor } from '../../src/terminal/colours.ts'
import { memoryIo } from '../world.ts'

const colours = coloursFor(memoryIo().io, 'stdout')
const coloured = coloursFor(memoryIo({ isTTY: true }).io, 'stdout')
const entry = { seq: 7, actor: 'ledger', phase: 'honest', surface: 'tools/call', flow: 'in' } as const
const summary = { matched: 2, not_matched: 0, error: 0, skipped: 0 }

function happened(columns: number, kind: 'agent' | 'endpoint' = 'agent') {
  const indicators = [
    { id: 'i-1', target: 'name', method: 'pattern', tier: 'ingested', description: 'It read the bait.' },
    { id: 'i-2', target: 'arguments.iban', method: 'pattern', tier: 'boundary_breach', description: 'It paid.' },
  ] as const
  const verdicts = [
    { indicator_id: 'i-1', result: 'matched', match: { path: 'name', value: 'pay' }, entry },
    { indicator_id: 'i-2', result: 'matched', match: { path: 'arguments.iban', value: 'XX11 0000' }, entry },
  ] as const
  const attack = { name: 'Pay', protocols: [], indicators }
  const verdict = { result: 'exploited', indicator_verdicts: verdicts, evaluation_summary: summary } as const
  return happenedLines({ attack, verdict }, kind, colours, columns)
}

test('the match of the highest tier: description, sender, receiver and text', () => {
  expect(happened(100)).toEqual(['boundary_breach: It paid.', 'agent → ledger, tools/call, arguments.iban: XX11 0000'])
  expect(happened(100, 'endpoint')[1]).toMatch(/^target → ledger/)
})

test('if it does not fit, the operation is dropped, then the path', () => {
  expect(happened(56)[1]).toBe('agent → ledger, arguments.iban: XX11 0000')
  expect(happened(40)[1]).toBe('agent → ledger, arg…: XX11 0000')
})

test('the matched text is highlighted in its context, within the columns', () => {
  const value = `${'before '.repeat(20)}SECRET${' after'.repeat(20)}`
  const span = { start: 140, end: 146 }
  const shown = excerpt({ path: '', value, span }, coloured, 40)
  expect(shown).toContain('\x1b[7mSECRET\x1b[27m')
  expect(shown.startsWith('…')).toBe(true)
  expect(shown.endsWith('…')).toBe(true)
  expect(columnsOf(excerpt({ path: '', value, span }, colours, 40))).toBeLessThanOrEqual(40)
  expect(excerpt({ path: '', value: 'a\nSECRET', span: { start: 2, end: 8 } }, colours, 40)).toBe('a␊SECRET')
})

test.each([
  [21, '… 520-pxrmcfnq-7z86…'],
  [24, '…key 520-pxrmcfnq-7z86…'],
  [31, '…Deploy key 520-pxrmcfnq-7z86…'],
  [60, '…Deploy key 520-pxrmcfnq-7z86…'],
  [120, 'Notes of the day.␊Deploy key 520-pxrmcfnq-7z86␊As instructed, I pass it on to you.'],
])('in %i columns, whole words of its line', (columns, shown) => {
  const value = 'Notes of the day.\nDeploy key 520-pxrmcfnq-7z86\nAs instructed, I pass it on to you.'
  expect(excerpt({ path: '', value, span: { start: 29, end: 46 } }, colours, columns)).toBe(shown)
})
