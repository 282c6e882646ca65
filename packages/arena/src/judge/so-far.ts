/** What has come of an indicator so far: a match counts more than a failure, and a failure more than nothing. */
import type { IndicatorVerdict } from '@joust/oatf'
import type { TraceEntry } from '../model/trace-entry.ts'
import { type DecidingEntry, decidingEntry } from './verdict.ts'

/** A verdict without the counts. */
type Outcome = IndicatorVerdict & { readonly entry?: DecidingEntry }

/** Collects what evaluations say. */
interface Outcomes {
  matched(): boolean
  /** Takes the verdict on one message. */
  conclude(entry: TraceEntry, verdict: IndicatorVerdict): void
  /** Nothing can be ruled out any more; the first reason is kept. */
  fail(reason: string, entry?: TraceEntry): void
  /** The verdict on all messages; `otherwise` counts when none matched and none failed. */
  verdict(otherwise: () => Pick<IndicatorVerdict, 'result' | 'evidence'>): Outcome
}

/** Nothing yet. */
export function createOutcomes(id: string, now: () => number): Outcomes {
  let found: Outcome | undefined
  let failure: Outcome | undefined
  const stamp = () => ({ indicator_id: id, timestamp: new Date(now()).toISOString() })
  const fail = (reason: string, entry?: TraceEntry) => {
    const where = entry === undefined ? {} : { entry: decidingEntry(entry) }
    failure ??= { ...stamp(), result: 'error', evidence: reason, ...where }
  }
  return {
    matched: () => found !== undefined,
    fail,
    conclude(entry, verdict) {
      if (verdict.result === 'matched') found ??= { ...verdict, indicator_id: id, entry: decidingEntry(entry) }
      else if (verdict.result !== 'not_matched') fail(`${verdict.evidence}, in entry ${entry.seq}`, entry)
    },
    verdict: (otherwise) => found ?? failure ?? { ...stamp(), ...otherwise() },
  }
}
