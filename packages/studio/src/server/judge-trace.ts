/** The judgement of an attack on a trace: the outcome, and how far each message got with each indicator. */
import {
  createAssessor,
  judgeEachMessage,
  outcomeVerdicts,
  type ReadTraceOptions,
  type TraceEnding,
  type TraceEntry,
  type TraceItem,
} from '@joust/arena'
import { createCelEvaluator, load } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'
import type { TraceJudgement } from '../model/api.ts'
import { limits } from '../model/limits.ts'

/** Reads a trace, wherever it is kept. */
export type OpenTrace = (options: ReadTraceOptions) => AsyncIterable<TraceItem>

export async function judgeTrace(
  attackText: string,
  trace: OpenTrace,
  shown: number = limits.traceEntries,
): Promise<Result<TraceJudgement, string>> {
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
  // All of them are judged, however many are shown.
  for await (const item of trace({ document: attack.document, onEnding: (told) => (ending = told) })) {
    await assessor.add(item)
    if (item.ok && entries.length < shown) entries.push(item.value)
  }
  const assessed = await assessor.finish(ending)
  const { outcome, reasons } = assessed
  const seen = await judgeEachMessage(attack, entries, { ...evaluators, maxVerdicts: limits.traceVerdicts })
  return ok({
    outcome,
    reasons,
    entries,
    indicators: outcomeVerdicts(assessed).map((whole, position) => {
      const { indicator_id: id, result, entry } = whole
      const { steps = [], verdicts = [] } = seen[position] ?? {}
      const place = entries.findIndex(({ seq }) => seq === entry?.seq)
      // A text that came in pieces may match only as a whole.
      return result === 'matched' && !steps.includes('matched') && place >= 0
        ? { id, result, steps: steps.with(place, 'matched'), verdicts: [...verdicts, whole] }
        : { id, result, steps, verdicts }
    }),
  })
}
