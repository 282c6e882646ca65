import type { Trial } from '@joust/results'
import { expect, onTestFinished, test, vi } from 'vitest'
import { columnsOf } from '../../src/render/fit.ts'
import { createProgress } from '../../src/render/progress.ts'
import type { Io } from '../../src/terminal/io.ts'
import { memoryIo } from '../world.ts'

const LONG = 'An attack whose name says a great deal more than fits into a line'
const run = { file: 'a.yaml', arm: 'attack', trial: 1, name: LONG } as const
// Only what progress reads.
const trial = (outcome: Trial['outcome'], reasons: readonly string[] = []) =>
  ({ outcome, reasons, duration_ms: 1234 }) as unknown as Trial
const entry = { flow: 'in', surface: 'tools/call' }
// The escape sequences that we write.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const plain = (text: string) => text.replaceAll(/\r|\x1b\[[\d;]*[A-Za-z]/g, '')

function linesOf(
  columns: number | undefined,
  isTTY: boolean,
  loudness: 'normal' | 'verbose' = 'normal',
  env: Io['env'] = {},
): string {
  const { io, stderr } = memoryIo({ isTTY, env, ...(columns && { columns }) })
  const progress = createProgress(io, 54, loudness)
  progress.event(run, { type: 'run-started' })
  progress.event(run, { type: 'target-started', wiring: [`actor a → ${'x'.repeat(90)}`] } as never)
  progress.event(run, { type: 'phase-entered', actor: 'ledger', phase: 'a_phase_with_a_long_name' } as never)
  progress.event(run, { type: 'message-recorded', entry } as never)
  progress.finished({ ...run, file: 'b.yaml' }, trial('inconclusive', ['nobody came '.repeat(12).trim()]), false)
  progress.finished({ ...run, file: 'c.yaml' }, trial('inconclusive', ['nobody came '.repeat(12).trim()]), false)
  progress.finished(run, trial('exploited'), true)
  progress.end()
  return stderr.join('')
}

test.each([60, 80, 120])('on a terminal of %i columns no line is longer', (columns) => {
  const shown = linesOf(columns, true)
  for (const line of plain(shown).split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(columns)
  expect(shown).toContain('\r\x1b[2A\x1b[0J')
})

test('at 60 columns the name gives way: phase, message and time stay, and so do rate, counts and time left', () => {
  let now = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 10))
  onTestFinished(() => clock.mockRestore())
  const shown = plain(linesOf(60, true))
  expect(shown).toMatch(/^ {2}An attack whose… · ledger\/a_phase_with.*… · 0\.\d s$/m)
  expect(shown).toMatch(/^ 3\/54 exploited {6}An attack whose… from earlier results$/m)
  expect(shown).toMatch(/^ {2}2\/54 · \d+ runs\/s · 2 inconclusive · about \d+ s left$/m)
})

test('live lines never exceed the height of the terminal', () => {
  const { io, stderr } = memoryIo({ isTTY: true, columns: 60, rows: 6 })
  const progress = createProgress(io, 54, 'normal')
  for (let number = 1; number <= 9; number += 1) progress.event({ ...run, trial: number }, { type: 'run-started' })
  progress.finished({ ...run, trial: 9 }, trial('exploited'), false)
  progress.end()
  const shown = plain(stderr.join(''))
  expect(shown.slice(shown.indexOf('1/54 exploited')).split('\n').slice(1)).toEqual([
    expect.stringMatching(/^ {2}An attack/),
    expect.stringMatching(/^ {2}An attack/),
    expect.stringMatching(/^ {2}An attack/),
    '  and 5 more',
    expect.stringMatching(/^ {2}1\/54/),
    '',
  ])
})

test('the clock of a run advances while nothing happens, and stops with the runs', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { io, stderr } = memoryIo({ isTTY: true, columns: 80 })
  const progress = createProgress(io, 1, 'normal')
  progress.event(run, { type: 'run-started' })
  vi.advanceTimersByTime(7000)
  expect(plain(stderr.at(-2) ?? '')).toMatch(/no message yet · 7\.0 s\n$/)
  progress.end()
  expect(vi.getTimerCount()).toBe(0)
})

test('without a terminal: one full line per result, no colours; repeated reasons are printed once', () => {
  const shown = linesOf(undefined, false)
  expect(shown).not.toContain('\x1b')
  expect(shown).toContain(` 1/54 inconclusive   ${LONG} 1.2 s\n    nobody came`)
  expect(shown.split('    nobody came')).toHaveLength(2)
  expect(shown).not.toContain('actor a →')
})

test('a terminal that cannot move its cursor gets no live lines', () => {
  expect(linesOf(80, true, 'normal', { TERM: 'dumb' })).not.toContain('\x1b')
})

test('--verbose also prints connections and phases', () => {
  const shown = linesOf(undefined, false, 'verbose')
  expect(shown).toContain('      actor a → xxx')
  expect(shown).toContain(`${LONG}: ledger enters a_phase_with_a_long_name`)
})
