/** The judgement of an attack on a trace: the verdict, and how far each message got with each indicator. */
import {
  createTraceAssessor,
  type JudgedIndicator,
  judge,
  type ReadTraceOptions,
  readTrace,
  type TraceEnding,
  type TraceEntry,
  type TraceItem,
} from '@joust/arena'
import { createCelEvaluator, type LoadedAttack, load } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'
import type { FilterStep, TraceJudgement } from '../model/api.ts'
import { limits } from '../model/limits.ts'

/** Reads a trace, wherever it is kept. */
export type OpenTrace = (options: ReadTraceOptions) => AsyncIterable<TraceItem>

/** A trace that was sent. */
export function traceIn(text: string): OpenTrace {
  return (options) => readTrace(once(text), options)
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

export async function judgeTrace(attackText: string, trace: OpenTrace): Promise<Result<TraceJudgement, string>> {
  const loaded = load(attackText)
  if (!loaded.ok)
    return err(
      loaded.error.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`)).join('\n'),
    )
  const attack = loaded.value
  const { items, ending } = await readItems(trace, attack)
  const assessor = createTraceAssessor(attack, { cel: createCelEvaluator() })
  for (const item of items) await assessor.add(item)
  const { outcome, reasons, verdict } = await assessor.finish(ending)
  const entries = items.flatMap((item) => (item.ok ? [item.value] : []))
  const looked = await lookAtEach(attack, entries)
  return ok({
    outcome,
    reasons,
    entries,
    indicators: verdict.indicator_verdicts.map((whole) => {
      const { steps = [], verdicts = [] } = looked.get(whole.indicator_id) ?? {}
      const place = entries.findIndex(({ seq }) => seq === whole.entry?.seq)
      // A text that came in pieces may match only as a whole.
      if (whole.result === 'matched' && steps[place] !== undefined && !steps.includes('matched')) {
        steps[place] = 'matched'
        verdicts.push(whole)
      }
      return { id: whole.indicator_id, result: whole.result, steps, verdicts }
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

interface Looked {
  readonly steps: FilterStep[]
  /** Those of messages that matched or could not be evaluated. */
  readonly verdicts: JudgedIndicator[]
}

/** Each message is judged alone: the counts then say how far it got. */
async function lookAtEach(attack: LoadedAttack, entries: readonly TraceEntry[]): Promise<Map<string, Looked>> {
  const found = new Map<string, Looked>()
  const cel = createCelEvaluator()
  for (const entry of entries) {
    const { indicator_verdicts } = await judge(attack, [entry], { cel })
    for (const verdict of indicator_verdicts) {
      const { steps, verdicts } = found.get(verdict.indicator_id) ?? { steps: [], verdicts: [] }
      found.set(verdict.indicator_id, { steps, verdicts })
      const step = stepOf(verdict)
      steps.push(step)
      if ((step === 'matched' || step === 'error') && verdicts.length < limits.traceVerdicts) verdicts.push(verdict)
    }
  }
  return found
}

function stepOf({ result, considered }: JudgedIndicator): FilterStep {
  const dropped = (['protocol', 'surface', 'actor', 'direction'] as const).find((step) => considered[step] === 0)
  if (dropped !== undefined) return dropped
  if (considered.evaluated === 0) return 'unreadable'
  return result === 'matched' || result === 'error' ? result : 'evaluated'
}
