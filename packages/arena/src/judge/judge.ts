/** Verdicts from a trace (§6, §9): one pass, in constant memory, never a pass by accident. */
import {
  type AsyncEvaluators,
  type Attack,
  computeVerdict,
  type Document,
  type Indicator,
  type IndicatorVerdict,
  normalize,
} from '@joust/oatf'
import { type Diagnostic, err, isList, kindOf, ok } from '@joust/source'
import { type Clock, systemClock } from '../model/clock.ts'
import { diagnostic } from '../model/diagnostics.ts'
import { messageOf } from '../model/errors.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceItem } from '../trace/read.ts'
import { createBudget } from './budget.ts'
import { createFindings } from './findings.ts'
import type { JudgedIndicator, Judgement } from './verdict.ts'
import { createWatch, NO_CONTACT, type Watch, type WatchTools } from './watch.ts'

/** What a judge may be given. Without `cel`, expression indicators are skipped; without `semantic`, semantic ones are. */
export interface JudgeOptions extends AsyncEvaluators {
  /** How long patterns and expressions of a document may take together: 30 s, if nothing is said (§5.7). */
  readonly budgetMs?: number
  /** How long a semantic evaluator may take for a document: 10 minutes, if nothing is said. */
  readonly semanticBudgetMs?: number
  /** Waits for semantic evaluators; `now` alone tells the time where it is given. */
  readonly clock?: Clock
  /** Stops waiting for a semantic evaluator. */
  readonly signal?: AbortSignal
  /** The name of the tool in the verdict: `joust`, if nothing is said. */
  readonly source?: string
}

/** A judge that sees a trace as it grows. */
export interface Judge {
  /** Takes the next entry, or what reading gave for it. Wait for the promise, if there is one, to bound memory. */
  add(item: TraceEntry | TraceItem): Promise<void> | undefined
  /** The trace is not to be trusted: whatever has not matched when all is over is an `error`. */
  fail(fault: Diagnostic): void
  /** The verdict of what was seen. */
  finish(): Promise<Judgement>
}

const BUDGET = 30_000
const SEMANTIC_BUDGET = 600_000

/** Judges a trace; one that breaks off, or has broken lines, gives `error` where nothing matched. */
export async function judge(
  document: Document,
  trace: Iterable<TraceEntry | TraceItem> | AsyncIterable<TraceEntry | TraceItem>,
  options: JudgeOptions = {},
): Promise<Judgement> {
  const judging = createJudge(document, options)
  try {
    for await (const item of trace) {
      const waiting = judging.add(item)
      if (waiting !== undefined) await waiting
    }
  } catch (thrown) {
    judging.fail(diagnostic('trace-failed', `the trace broke off: ${messageOf(thrown)}`))
  }
  return judging.finish()
}

/** Begins to judge. The document may be as written or normalized. */
export function createJudge(document: Document, options: JudgeOptions = {}): Judge {
  const { source = 'joust' } = options
  const clock = clockOf(options)
  // A document that was built in memory may be anything.
  const attack: Attack | undefined = normalize(document)?.attack
  const findings = createFindings()
  const watches = watchesOf(attack, toolsOf(options, clock, findings.add))
  const all = [...watches.values()]
  /** Semantic questions wait for each other. */
  let last: Promise<void> = Promise.resolve()

  const fail = (fault: Diagnostic) => {
    findings.add(fault)
    for (const watch of all) watch.fail(`${fault.code}: ${fault.message}`)
  }
  return {
    fail,
    add(item) {
      const entry = entryIn(item)
      if (!entry.ok) return void fail(entry.error)
      let waiting = false
      for (const watch of all) {
        const work = watch.take(entry.value)
        if (work === undefined) continue
        last = last.then(work)
        waiting = true
      }
      return waiting ? last : undefined
    },
    async finish() {
      await last
      const judged = new Map([...watches].map(([id, watch]) => [id, { ...watch.verdict(), source }]))
      for (const { result, evidence } of judged.values()) {
        if (result === 'skipped' && evidence?.startsWith(NO_CONTACT)) findings.add(diagnostic('no-contact', evidence))
      }
      return judgementOf(attack, judged, clock, source, findings.all())
    },
  }
}

function clockOf({ clock = systemClock, now = () => clock.now() }: JudgeOptions): Clock {
  return { now, setTimer: (milliseconds, callback) => clock.setTimer(milliseconds, callback) }
}

function toolsOf(options: JudgeOptions, clock: Clock, report: (finding: Diagnostic) => void): WatchTools {
  const { cel, semantic, limits, signal = new AbortController().signal } = options
  const bounds = limits === undefined ? {} : { limits }
  const budget = createBudget(options.semanticBudgetMs, SEMANTIC_BUDGET)
  return {
    evaluators: { ...(cel === undefined ? {} : { cel }), ...bounds },
    semantic: semantic && { evaluator: semantic, clock, budget, signal, ...bounds },
    now: clock.now,
    budget: createBudget(options.budgetMs, BUDGET),
    report,
  }
}

/** A watch for each indicator, by the id that `computeVerdict` knows it by. */
function watchesOf(attack: Attack | undefined, tools: WatchTools): ReadonlyMap<string, Watch> {
  const listed = attack?.indicators
  const indicators: readonly Indicator[] = isList(listed) ? listed : []
  const ids = verdictOf(attack, new Map()).indicator_verdicts.map((verdict) => verdict.indicator_id)
  // Two indicators with the same id are an error, whatever the verdict of either.
  return new Map(
    indicators.map((indicator, index) => [ids[index] ?? '', createWatch(ids[index] ?? '', indicator, tools)]),
  )
}

function verdictOf(attack: Attack | undefined, verdicts: ReadonlyMap<string, IndicatorVerdict>, clock = systemClock) {
  // Looks at what it is given before it takes it for an attack.
  return computeVerdict(attack as Attack, verdicts, clock.now)
}

function judgementOf(
  attack: Attack | undefined,
  judged: ReadonlyMap<string, JudgedIndicator>,
  clock: Clock,
  source: string,
  findings: readonly Diagnostic[],
): Judgement {
  const verdict = verdictOf(attack, judged, clock)
  const diagnostics = [...(verdict.diagnostics ?? []), ...findings]
  return {
    ...verdict,
    indicator_verdicts: verdict.indicator_verdicts.flatMap(({ indicator_id }) => judged.get(indicator_id) ?? []),
    source,
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
  }
}

/** The entry in what a trace gave. */
function entryIn(item: TraceEntry | TraceItem): TraceItem {
  // Traces come from outside: an iterable may hold anything.
  if (typeof item !== 'object' || item === null) {
    return err(diagnostic('trace-malformed', `${kindOf(item)} where an entry of a trace should be`))
  }
  return 'ok' in item ? item : ok(item)
}
