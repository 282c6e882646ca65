/** Evaluates a trace for the studio: the outcome, and the evaluation steps of each indicator for each message. */
import { createAssessor, judgeEachMessage } from '@joust/arena'
import { type Canaries, createCelEvaluator, load, withCanaries } from '@joust/oatf'
import { type ModelEntry, outcomeVerdicts, type TraceEnding, type TraceEntry } from '@joust/results'
import { err, ok } from '@joust/source'
import type { JudgeTrace } from '@joust/studio'

/** Evaluates a whole trace, and returns its first `entries` messages with at most `verdicts` verdicts each. */
export const judgeTrace: JudgeTrace = async (attackText, trace, bounds) => {
  const loaded = load(attackText)
  if (!loaded.ok)
    return err(
      loaded.error.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`)).join('\n'),
    )
  let attack = loaded.value
  const evaluators = { cel: createCelEvaluator() }
  let assessor = createAssessor(attack, evaluators)
  let fault: string | undefined
  const entries: TraceEntry[] = []
  let ending: TraceEnding | undefined
  // All messages are evaluated, even those that are not returned.
  const options = {
    document: attack.document,
    onCanaries: (canaries: Canaries) => {
      const played = withCanaries(attack, canaries)
      if (played.ok) attack = played.value
      else fault = played.error
      assessor = createAssessor(attack, evaluators)
    },
    onModel: (entry: ModelEntry) => assessor.observe(entry),
    onEnding: (facts: TraceEnding) => {
      ending = facts
    },
  }
  for await (const item of trace(options)) {
    await assessor.add(item)
    if (item.ok && entries.length < bounds.entries) entries.push(item.value)
  }
  if (fault !== undefined) return err(fault)
  const assessed = await assessor.finish(ending)
  const { outcome, reasons, flows } = assessed
  const judgements = await judgeEachMessage(attack, entries, { ...evaluators, maxVerdicts: bounds.verdicts })
  return ok({
    outcome,
    reasons,
    ...(flows && { flows }),
    entries,
    indicators: outcomeVerdicts(assessed).map((whole, position) => {
      const { indicator_id: id, result, entry } = whole
      const { steps = [], verdicts = [] } = judgements[position] ?? {}
      const place = entries.findIndex(({ seq }) => seq === entry?.seq)
      // A streamed text may match only as a whole.
      return result === 'matched' && !steps.includes('matched') && place >= 0
        ? { id, result, steps: steps.with(place, 'matched'), verdicts: [...verdicts, whole] }
        : { id, result, steps, verdicts }
    }),
  })
}
