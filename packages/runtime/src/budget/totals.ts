/** What a run has used so far. */
import type { Clock } from '@joust/io'
import type { Usage } from '../model/usage.ts'

/** Counters of one run. */
export interface Totals {
  readonly startedAt: number
  inputTokens: number
  outputTokens: number
  estimated: boolean
  modelCalls: number
  toolCalls: number
}

/** Counters at the start of a run that was worked on for some milliseconds before. */
export function newTotals(clock: Clock, workedMs = 0): Totals {
  const startedAt = clock.now() - workedMs
  return { startedAt, inputTokens: 0, outputTokens: 0, estimated: false, modelCalls: 0, toolCalls: 0 }
}

/** The counters as a host sees them. */
export function usageOf(totals: Totals, clock: Clock): Usage {
  const { startedAt, ...counts } = totals
  return {
    ...counts,
    totalTokens: counts.inputTokens + counts.outputTokens,
    durationMs: clock.now() - startedAt,
  }
}
