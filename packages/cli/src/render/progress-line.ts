/** How far many runs have come, in one line. */
import type { LedgerProgress, Outcome } from '@joust/arena'
import { columnsOf, fit } from './fit.ts'

/**
 * `412/1000 · 12.3 runs/s · 112 exploited, 300 resisted · about 48 s left`; the rate is that of `done` in `ms`. If
 * that is too long for a terminal, the words get shorter and the counts come last, the worst outcome first.
 */
export function progressLine(
  { runs, open, outcomes }: Pick<LedgerProgress, 'runs' | 'open' | 'outcomes'>,
  { done, ms }: { readonly done: number; readonly ms: number },
  columns = Number.POSITIVE_INFINITY,
): string {
  const rate = ms > 0 ? done / ms : 0
  const far = [`${runs - open}/${runs}`, ...(done > 0 && rate > 0 ? [rateText(rate)] : [])]
  // The keys of our own table of outcomes.
  const counts = (Object.entries(outcomes) as [Outcome, number][]).filter(([, number]) => number > 0)
  const counted = counts.length > 0 ? [counts.map(([outcome, number]) => `${number} ${outcome}`).join(', ')] : []
  const left = open > 0 && rate > 0 ? [`${timeText(open / rate)} left`] : []
  const whole = [...far, ...counted, ...left.map((time) => `about ${time}`)].join(' · ')
  if (columnsOf(whole) <= columns) return whole
  return fit([...far, ...left, ...counted].join(' · ').replace(' runs/', '/'), columns)
}

/** A model that takes a minute still has a rate. */
function rateText(perMillisecond: number): string {
  const [rate, unit] = perMillisecond < 0.001 ? [60_000 * perMillisecond, 'min'] : [1000 * perMillisecond, 's']
  return `${rate.toFixed(rate < 10 ? 1 : 0)} runs/${unit}`
}

function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
