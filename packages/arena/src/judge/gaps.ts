/** Detects missing trace entries. */
import type { TraceEnding, TraceEntry } from '@joust/results'

/** Entry numbers must be consecutive. Traces from other tools are exempt. */
export function followGaps() {
  let last = 0
  let gap: string | undefined
  return {
    take({ seq }: TraceEntry) {
      if (seq !== last + 1) gap ??= `the trace is incomplete: expected entry ${last + 1}, got ${seq}`
      last = seq
    },
    signs({ foreign, entries = last }: TraceEnding): string[] {
      if (foreign === true) return []
      if (entries !== last) gap ??= `the trace is incomplete: expected ${entries} entries, got ${last}`
      return gap === undefined ? [] : [gap]
    },
  }
}
