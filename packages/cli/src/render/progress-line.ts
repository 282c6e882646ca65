/** Formats the progress of many runs in one line. */

import type { Outcome } from '@joust/results'
import type { LedgerProgress } from '@joust/trials'
import { columnsOf, fit } from './fit.ts'

/**
 * Returns a line such as `412/1000 · 12.3 runs/s · 112 exploited, 300 resisted · about 48 s left`; the rate is `done`
 * runs in `ms`. If the line is too long for the terminal, words are abbreviated and the counts come last.
 */
export function progressLine(
  { runs, open, outcomes }: Pick<LedgerProgress, 'runs' | 'open' | 'outcomes'>,
  { done, ms }: { readonly done: number; readonly ms: number },
  columns = Number.POSITIVE_INFINITY,
): string {
  const rate = ms > 0 ? done / ms : 0
  const far = [`${runs - open}/${runs}`, ...(done > 0 && rate > 0 ? [rateText(rate)] : [])]
  // `Object.entries` loses the type of the keys.
  const counts = (Object.entries(outcomes) as [Outcome, number][]).filter(([, number]) => number > 0)
  const counted = counts.length > 0 ? [counts.map(([outcome, number]) => `${number} ${outcome}`).join(', ')] : []
  const remaining = open > 0 && rate > 0 ? [`${timeText(open / rate)} left`] : []
  const whole = [...far, ...counted, ...remaining.map((time) => `about ${time}`)].join(' · ')
  if (columnsOf(whole) <= columns) return whole
  return fit([...far, ...remaining, ...counted].join(' · ').replace(' runs/', '/'), columns)
}

function rateText(perMillisecond: number): string {
  const [rate, unit] = perMillisecond < 0.001 ? [60_000 * perMillisecond, 'min'] : [1000 * perMillisecond, 's']
  return `${rate.toFixed(rate < 10 ? 1 : 0)} runs/${unit}`
}

function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
