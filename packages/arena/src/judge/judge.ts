/** Verdicts on a trace ([OATF §6](https://oatf.io/specification/indicators/), §9), in one pass and constant memory. */

import { type Clock, systemClock } from '@joust/io'
import { type AsyncEvaluators, computeVerdict, type LoadedAttack, type NormalAttack } from '@joust/oatf'
import type { Flow, JudgedIndicator, Judgement, TraceEntry, TraceItem } from '@joust/results'
import { createReports, diagnostic } from '@joust/results'
import { type Diagnostic, defined, err, kindOf, messageOf, ok, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { createCompletion } from './complete.ts'
import { followEchoes } from './echoes.ts'
import { createEvaluationTime } from './evaluation-time.ts'
import { createWatch, type Watch, type WatchTools } from './watch.ts'

/**
 * Options for a judge. Expression indicators are skipped if `cel` is not set, semantic ones if `semantic` is not set.
 *
 * @example
 * const { result } = await judge(attack, readTrace('trace.jsonl'), { cel: createCelEvaluator(), evaluationMs: 60_000 })
 */
export interface JudgeOptions extends AsyncEvaluators {
  /** Time limit in milliseconds for all patterns and expressions of a document (OATF §5.7). @default 30 seconds */
  readonly evaluationMs?: number
  /** Time limit in milliseconds for the semantic evaluator per document. @default 10 minutes */
  readonly semanticMs?: number
  /** The clock for semantic timeouts. Verdict timestamps use `now` if set. @default the system clock */
  readonly clock?: Clock
  /** User messages that are not in the trace, such as a command's prompt: their values are trusted. @default none */
  readonly userTexts?: readonly string[]
  /** Aborts a pending semantic evaluation. @default never aborted */
  readonly signal?: AbortSignal
  /** The tool name in the verdict. @default 'joust' */
  readonly source?: string
}

/** An incremental judge of a trace. */
export interface Judge {
  /** Takes the next entry, or the result of reading one. Await the promise, if any, to bound memory. */
  add(item: TraceEntry | TraceItem): Promise<void> | undefined
  /** Marks the trace as unreliable: indicators that did not match become an `error`. */
  fail(fault: Diagnostic): void
  finish(): Promise<Judgement>
}

type JudgedItems = Iterable<TraceEntry | TraceItem>

/** A trace in memory or read from a file, where batches are faster. */
type JudgedTrace =
  | JudgedItems
  | AsyncIterable<TraceEntry | TraceItem>
  | { readonly batches: () => AsyncIterable<JudgedItems> }

/**
 * Judges a trace as OATF defines it. In a truncated or malformed trace, indicators that did not match are an `error`.
 *
 * @example
 * const { result } = await judge(attack, readTrace('trace.jsonl'))
 */
export function judge(attack: LoadedAttack, trace: JudgedTrace, options: JudgeOptions = {}): Promise<Judgement> {
  return judgeAll(createJudge(attack, options), trace)
}

/**
 * Starts judging the attack as written, over received messages.
 *
 * @example
 * const judgement = createJudge(attack)
 * for await (const item of readTrace('out/traces/time-bomb.1.jsonl')) await judgement.add(item)
 * const { result } = await judgement.finish()
 */
export function createJudge({ document, unread, patterns }: LoadedAttack, options: JudgeOptions = {}): Judge {
  return completing(judgingOf(unread ?? document.attack, { ...options, patterns }), 'received')
}

/** Judges one message, including derived entries, with the attack's dialect translated. */
export function judgeMessage(
  { document, patterns }: LoadedAttack,
  entry: TraceEntry,
  options: JudgeOptions,
): Promise<Judgement> {
  return judgeAll(completing(judgingOf(document.attack, { ...options, patterns }), 'whole'), [entry])
}

async function judgeAll(judging: Judge, trace: JudgedTrace): Promise<Judgement> {
  try {
    for await (const items of batchesOf(trace)) {
      for (const item of items) {
        const waiting = judging.add(item)
        if (waiting !== undefined) await waiting
      }
    }
  } catch (thrown) {
    judging.fail(diagnostic('trace-failed', `the trace could not be read to its end: ${messageOf(thrown)}`))
  }
  return judging.finish()
}

async function* batchesOf(trace: JudgedTrace): AsyncGenerator<JudgedItems, void, undefined> {
  if ('batches' in trace) yield* trace.batches()
  else if (Symbol.iterator in trace) yield trace
  else for await (const item of trace) yield [item]
}

function completing(judging: Judging, view: 'received' | 'whole'): Judge {
  const completion = createCompletion()
  return {
    fail: judging.fail,
    add(item) {
      const entry = entryIn(item)
      return entry.ok ? judging.take(completion.take(entry.value)) : judging.fail(entry.error)
    },
    async finish() {
      judging.take(completion.end())
      return (await judging.finish())[view]
    },
  }
}

export interface JudgingOptions extends JudgeOptions {
  readonly baitSeq?: () => number | undefined
}

export interface Judging {
  /** Takes the flows into a message, before the message itself. `isIncomplete`: flows may be missing. */
  flowed(entry: TraceEntry, flows: readonly Flow[], isIncomplete: boolean): void
  take(entries: readonly TraceEntry[]): Promise<void> | undefined
  fail(fault: Diagnostic): undefined
  finish(): Promise<Judgements>
}

interface Judgements {
  /** The judgement over messages as received and sent. */
  readonly received: Judgement
  /** The judgement that includes derived entries. */
  readonly whole: Judgement
  /** Returns the judgement over agent messages after entry `seq`, including derived entries. */
  after(seq: number | undefined): Judgement
}

/** Starts judging. `written` is the attack without dialect translation, for the judgement over received messages. */
export function judgingOf(attack: NormalAttack, options: JudgingOptions, written = attack): Judging {
  const { source = 'joust' } = options
  const clock = clockOf(options)
  const findings = createReports(undefined, arenaLimits.traceFindings)
  const tools = toolsOf(options, clock, findings.add)
  const translated = watchesOf(attack, tools)
  const literal =
    written === attack ? translated : watchesOf(written, { ...tools, baitSeq: undefined }, attack, translated)
  const watches = [...new Set([...translated, ...literal])]
  const withoutEchoes = followEchoes()
  /** Semantic evaluations run one at a time. */
  let last: Promise<void> = Promise.resolve()
  return {
    fail(fault) {
      findings.add(fault)
      for (const watch of watches) watch.fail(`${fault.code}: ${fault.message}`)
    },
    flowed(entry, flows, isIncomplete) {
      if (flows.length === 0 && !isIncomplete) return
      for (const watch of translated) watch.flowed(entry, flows, isIncomplete)
    },
    take(entries) {
      let waiting = false
      for (const entry of entries) {
        const own = withoutEchoes(entry)
        for (const watch of watches) {
          const work = watch.take(entry, own)
          if (work === undefined) continue
          last = last.then(work)
          waiting = true
        }
      }
      return waiting ? last : undefined
    },
    async finish() {
      await last
      const judgement = (of: NormalAttack, verdicts: readonly JudgedIndicator[]) => {
        const judged = verdicts.map((verdict) => ({ ...verdict, source }))
        return judgementOf(of, judged, clock, source, findings.all())
      }
      const whole = translated.map((watch) => watch.whole())
      const received = literal.map((watch) => watch.received())
      return {
        received: judgement(written, received),
        whole: judgement(attack, whole),
        after(seq) {
          const later = translated.map((watch) => watch.after(seq))
          return judgement(attack, later)
        },
      }
    },
  }
}

function clockOf({ clock = systemClock, now = () => clock.now() }: JudgeOptions): Clock {
  return { now, setTimer: (milliseconds, callback) => clock.setTimer(milliseconds, callback) }
}

function toolsOf(options: JudgingOptions, clock: Clock, report: (finding: Diagnostic) => void): WatchTools {
  const { cel, semantic, limits, patterns, signal, baitSeq } = options
  const time = createEvaluationTime(options.semanticMs, arenaLimits.semanticMs)
  return {
    evaluators: defined({ cel, patterns, limits }),
    semantic: semantic && defined({ evaluator: semantic, clock, time, signal, limits }),
    now: clock.now,
    time: createEvaluationTime(options.evaluationMs, arenaLimits.evaluationMs),
    baitSeq,
    report,
  }
}

/** Creates watches by indicator position, since ids may repeat. Indicators identical in `other` share their watch. */
function watchesOf(
  attack: NormalAttack,
  tools: WatchTools,
  other?: NormalAttack,
  watches: readonly Watch[] = [],
): readonly Watch[] {
  const ids = computeVerdict(attack, []).indicator_verdicts.map((verdict) => verdict.indicator_id)
  return (attack.indicators ?? []).map((indicator, index) => {
    const counterpart = other?.indicators?.[index]
    const isSame = counterpart !== undefined && writeJson(counterpart) === writeJson(indicator)
    return (isSame ? watches[index] : undefined) ?? createWatch(ids[index] ?? '', indicator, tools)
  })
}

function judgementOf(
  attack: NormalAttack,
  judged: readonly JudgedIndicator[],
  clock: Clock,
  source: string,
  findings: readonly Diagnostic[],
): Judgement {
  const verdict = computeVerdict(attack, judged, clock.now)
  const diagnostics = [...(verdict.diagnostics ?? []), ...findings]
  return { ...verdict, indicator_verdicts: judged, source, ...(diagnostics.length > 0 && { diagnostics }) }
}

export function entryIn(item: TraceEntry | TraceItem): TraceItem {
  // Traces are untrusted input: an iterable may yield any value.
  if (typeof item !== 'object' || item === null)
    return err(diagnostic('trace-malformed', `expected a trace entry, got ${kindOf(item)}`))
  return 'ok' in item ? item : ok(item)
}
