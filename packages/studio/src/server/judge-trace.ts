/** The judgement of an attack on a trace: the outcome, and how far each message got with each indicator. */
import {
  createTraceAssessor,
  judgeEachMessage,
  type ReadTraceOptions,
  type TraceEnding,
  type TraceItem,
} from '@joust/arena'
import { createCelEvaluator, type LoadedAttack, load } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'
import type { TraceJudgement } from '../model/api.ts'
import { limits } from '../model/limits.ts'

/** Reads a trace, wherever it is kept. */
export type OpenTrace = (options: ReadTraceOptions) => AsyncIterable<TraceItem>

export async function judgeTrace(attackText: string, trace: OpenTrace): Promise<Result<TraceJudgement, string>> {
  const loaded = load(attackText)
  if (!loaded.ok)
    return err(
      loaded.error.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`)).join('\n'),
    )
  const attack = loaded.value
  const evaluators = { cel: createCelEvaluator() }
  const { items, ending } = await readItems(trace, attack)
  const assessor = createTraceAssessor(attack, evaluators)
  for (const item of items) await assessor.add(item)
  const { outcome, reasons, verdict } = await assessor.finish(ending)
  const entries = items.flatMap((item) => (item.ok ? [item.value] : []))
  const seen = await judgeEachMessage(attack, entries, { ...evaluators, maxVerdicts: limits.traceVerdicts })
  return ok({
    outcome,
    reasons,
    entries,
    indicators: verdict.indicator_verdicts.map((whole) => {
      const { indicator_id: id, result, entry } = whole
      const { steps = [], verdicts = [] } = seen.get(id) ?? {}
      const place = entries.findIndex(({ seq }) => seq === entry?.seq)
      // A text that came in pieces may match only as a whole.
      return result === 'matched' && !steps.includes('matched') && place >= 0
        ? { id, result, steps: steps.with(place, 'matched'), verdicts: [...verdicts, whole] }
        : { id, result, steps, verdicts }
    }),
  })
}

async function readItems(trace: OpenTrace, { document }: LoadedAttack) {
  const items: TraceItem[] = []
  let ending: TraceEnding | undefined
  for await (const item of trace({ document, onEnding: (told) => (ending = told) })) {
    items.push(item)
    if (items.length >= limits.traceEntries) break
  }
  return { items, ending }
}
