/** Verdict and outcome from a trace: what a run says, said again from what it has left behind. */
import type { LoadedAttack } from '@joust/oatf'
import type { Diagnostic } from '@joust/source'
import type { Assessment } from '../model/outcome.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceEnding } from '../trace/lines.ts'
import type { TraceItem } from '../trace/read.ts'
import { createExposureJudge } from './exposure.ts'
import { createJudge, type JudgeOptions } from './judge.ts'
import { assess, silencedBy } from './outcome.ts'
import type { Judgement } from './verdict.ts'

/** What a trace says of an agent. */
export interface AssessedTrace extends Assessment {
  readonly verdict: Judgement
}

/** Looks at a trace as it is read. */
export interface TraceAssessor {
  /** Takes the next item. Wait for the promise, if there is one, to bound memory. */
  add(item: TraceEntry | TraceItem): Promise<void> | undefined
  /** The trace is not to be trusted. */
  fail(fault: Diagnostic): void
  /** `ending` is the last line of the trace, where it has one. */
  finish(ending?: TraceEnding): Promise<AssessedTrace>
}

/** Begins to look. */
export function createTraceAssessor(attack: LoadedAttack, options: JudgeOptions = {}): TraceAssessor {
  const judging = createJudge(attack, options)
  const exposing = createExposureJudge(attack)
  let last = 0
  let seen = 0
  let gap: string | undefined
  return {
    add(item) {
      const entry = 'ok' in item ? (item.ok ? item.value : undefined) : item
      if (entry !== undefined) {
        exposing.add(entry)
        if (entry.seq !== last + 1) gap ??= `the trace is incomplete: entry ${entry.seq} is where ${last + 1} should be`
        last = entry.seq
        seen += 1
      }
      return judging.add(item)
    },
    fail: judging.fail,
    async finish(ending) {
      const verdict = await judging.finish()
      const { exposure, unexposed } = exposing.finish()
      const ended = ending === undefined || ending.ended === 'done' ? [] : [`the run was ${ending.ended}`]
      // Other tools may count as they like; ours leave no number out.
      if (ending?.entries !== undefined && ending.entries !== seen)
        gap ??= `the trace is incomplete: it has ${seen} entries, but its last line counts ${ending.entries}`
      const holes = ending === undefined || gap === undefined ? [] : [gap]
      const against = [...new Set([...(ending?.reasons ?? ended), ...holes, ...silencedBy(attack, verdict)])]
      const told = { verdict, against, selfPlay: ending?.self_play === true }
      // What was hidden in the trace was seen by the run; but only where it is this document that was run.
      const known = ending?.fingerprint === attack.fingerprint ? ending.exposure : undefined
      const exposed = known === undefined ? { exposure, unexposed } : { exposure: known, unexposed: [] }
      return { verdict, ...assess({ ...told, ...exposed }) }
    },
  }
}
