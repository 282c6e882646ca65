/** How far many runs have come, in one line. */
import type { LedgerProgress, Outcome } from '@joust/arena'

/** `412/1000 · 12.3 runs/s · 300 resisted, 112 exploited · about 48 s left`; the rate is that of `done` in `ms`. */
export function progressLine(
  { runs, open, outcomes }: Pick<LedgerProgress, 'runs' | 'open' | 'outcomes'>,
  { done, ms }: { readonly done: number; readonly ms: number },
): string {
  const finished = runs - open
  // Our own table of outcomes.
  const counts = (Object.entries(outcomes) as [Outcome, number][]).filter(([, number]) => number > 0)
  const rate = ms > 0 ? (done * 1000) / ms : 0
  const parts = [
    `${finished}/${runs}`,
    ...(done > 0 ? [`${rate.toFixed(rate < 10 ? 1 : 0)} runs/s`] : []),
    ...(counts.length > 0 ? [counts.map(([outcome, number]) => `${number} ${outcome}`).join(', ')] : []),
    ...(open > 0 && rate > 0 ? [`about ${timeText(open / rate)} left`] : []),
  ]
  return parts.join(' · ')
}

function timeText(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return seconds < 6000 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
