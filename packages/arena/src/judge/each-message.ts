/** The result of each indicator for each message of a trace by itself: a verdict on the whole stops at the first match. */
import type { LoadedAttack } from '@joust/oatf'
import type { TraceEntry } from '../model/trace-entry.ts'
import { type JudgeOptions, judgeMessage } from './judge.ts'
import type { JudgedIndicator } from './verdict.ts'

/** Which step of the filter (§6) dropped a message; `evaluated` means that it was evaluated and did not match. */
export type FilterStep =
  | 'protocol'
  | 'surface'
  | 'actor'
  | 'direction'
  | 'unreadable'
  | 'evaluated'
  | 'matched'
  | 'error'

/** The messages of a trace as one indicator sees them. */
export interface SeenMessages {
  /** What happened to each message, in order. */
  readonly steps: readonly FilterStep[]
  /** Those of messages that matched or could not be evaluated. */
  readonly verdicts: readonly JudgedIndicator[]
}

/** Judges each message alone, for each indicator in order. No more than `maxVerdicts` are kept for one. */
export async function judgeEachMessage(
  attack: LoadedAttack,
  entries: readonly TraceEntry[],
  options: JudgeOptions & { readonly maxVerdicts: number },
): Promise<readonly SeenMessages[]> {
  const seen = (attack.document.attack.indicators ?? []).map(() => {
    return { steps: [] as FilterStep[], verdicts: [] as JudgedIndicator[] }
  })
  for (const entry of entries) {
    const { indicator_verdicts } = await judgeMessage(attack, entry, options)
    for (const [position, verdict] of indicator_verdicts.entries()) {
      const step = stepOf(verdict)
      seen[position]?.steps.push(step)
      const isKept = (seen[position]?.verdicts.length ?? 0) < options.maxVerdicts
      if ((step === 'matched' || step === 'error') && isKept) seen[position]?.verdicts.push(verdict)
    }
  }
  return seen
}

/** The counts of a judgement on one message say how far it got. */
function stepOf({ result, considered }: JudgedIndicator): FilterStep {
  const dropped = (['protocol', 'surface', 'actor', 'direction'] as const).find((step) => considered[step] === 0)
  if (dropped !== undefined) return dropped
  if (considered.evaluated === 0) return 'unreadable'
  return result === 'matched' || result === 'error' ? result : 'evaluated'
}
