/** Verdict and outcome from a trace: what a run concludes, concluded again from what it left behind. */
import type { LoadedAttack } from '@joust/oatf'
import type { Diagnostic } from '@joust/source'
import type { Assessment } from '../model/outcome.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceEnding } from '../trace/lines.ts'
import type { TraceItem } from '../trace/read.ts'
import { assess, silencedBy } from './assess.ts'
import { createExposureJudge } from './exposure.ts'
import { createJudge, type JudgeOptions } from './judge.ts'
import type { Judgement } from './verdict.ts'

/** What a trace says about an agent. */
export interface AssessedTrace extends Assessment {
  readonly verdict: Judgement
}

/** Assesses a trace as it is read. */
export interface TraceAssessor {
  /** Takes the next item. Wait for the promise, if there is one, to bound memory. */
  add(item: TraceEntry | TraceItem): Promise<void> | undefined
  /** Marks the trace as one that cannot be trusted. */
  fail(fault: Diagnostic): void
  /** `ending` is the last line of the trace, where it has one. */
  finish(ending?: TraceEnding): Promise<AssessedTrace>
}

/** Begins an assessment. */
export function createTraceAssessor(attack: LoadedAttack, options: JudgeOptions = {}): TraceAssessor {
  const judging = createJudge(attack, options)
  const exposing = createExposureJudge(attack)
  let last = 0
  let gap: string | undefined
  return {
    add(item) {
      const entry = 'ok' in item ? (item.ok ? item.value : undefined) : item
      if (entry !== undefined) {
        exposing.add(entry)
        if (entry.seq !== last + 1) gap ??= `the trace is incomplete: entry ${entry.seq} is where ${last + 1} should be`
        last = entry.seq
      }
      return judging.add(item)
    },
    fail: judging.fail,
    async finish(ending) {
      const verdict = await judging.finish()
      const { exposure, unexposed } = exposing.finish()
      const ended = ending === undefined || ending.ended === 'done' ? [] : [`the run was ${ending.ended}`]
      if (ending?.entries !== undefined && ending.entries !== last)
        gap ??= `the trace is incomplete: it has ${last} entries, but its last line counts ${ending.entries}`
      const isOurs = ending !== undefined && ending.foreign === undefined
      const holes = isOurs && gap !== undefined ? [gap] : []
      const against = [...new Set([...(ending?.reasons ?? ended), ...holes, ...silencedBy(attack, verdict)])]
      const told = { verdict, against, selfPlay: ending?.self_play === true }
      // The run saw what was hidden in the trace; but this counts only if it ran this very document.
      const known = ending?.fingerprint === attack.fingerprint ? ending.exposure : undefined
      const exposed = known === undefined ? { exposure, unexposed } : { exposure: known, unexposed: [] }
      return { verdict, ...assess({ ...told, ...exposed }) }
    },
  }
}
