/** Evaluates each message in a trace separately, since a verdict on the whole trace stops at the first match. */
import type { LoadedAttack } from '@joust/oatf'
import type { FilterStep, JudgedIndicator, SeenMessages, TraceEntry } from '@joust/results'
import { type JudgeOptions, judgeMessage } from './judge.ts'

/** Returns the evaluations per indicator, in order, with at most `maxVerdicts` verdicts each. */
export async function judgeEachMessage(
  attack: LoadedAttack,
  entries: readonly TraceEntry[],
  options: JudgeOptions & { readonly maxVerdicts: number },
): Promise<readonly SeenMessages[]> {
  const results = (attack.document.attack.indicators ?? []).map(() => {
    return { steps: [] as FilterStep[], verdicts: [] as JudgedIndicator[] }
  })
  for (const entry of entries) {
    const { indicator_verdicts } = await judgeMessage(attack, entry, options)
    for (const [position, verdict] of indicator_verdicts.entries()) {
      const step = stepOf(verdict)
      results[position]?.steps.push(step)
      const isKept = (results[position]?.verdicts.length ?? 0) < options.maxVerdicts
      if ((step === 'matched' || step === 'error') && isKept) results[position]?.verdicts.push(verdict)
    }
  }
  return results
}

function stepOf({ result, considered }: JudgedIndicator): FilterStep {
  const dropped = (['protocol', 'surface', 'actor', 'direction'] as const).find((step) => considered[step] === 0)
  if (dropped !== undefined) return dropped
  if (considered.evaluated === 0) return 'unreadable'
  return result === 'matched' || result === 'error' ? result : 'evaluated'
}
