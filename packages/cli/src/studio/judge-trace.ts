/** Evaluates a trace for the studio: the outcome, and the steps of each message through each indicator. */
import { createAssessor, judgeEachMessage } from '@joust/arena'
import { createCelEvaluator, load } from '@joust/oatf'
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
  const attack = loaded.value
  const evaluators = { cel: createCelEvaluator() }
  const assessor = createAssessor(attack, evaluators)
  const entries: TraceEntry[] = []
  let ending: TraceEnding | undefined
  // All messages are evaluated, even those that are not returned.
  const options = {
    document: attack.document,
    onModel: (entry: ModelEntry) => assessor.observe(entry),
    onEnding: (facts: TraceEnding) => {
      ending = facts
    },
  }
  for await (const item of trace(options)) {
    await assessor.add(item)
    if (item.ok && entries.length < bounds.entries) entries.push(item.value)
  }
  const assessed = await assessor.finish(ending)
  const { outcome, reasons } = assessed
  const judgements = await judgeEachMessage(attack, entries, { ...evaluators, maxVerdicts: bounds.verdicts })
  return ok({
    outcome,
    reasons,
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
