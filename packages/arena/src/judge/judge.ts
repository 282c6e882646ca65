/** Verdicts from a trace (§6, §9): one pass, in constant memory, never a pass by accident. */

import { type Clock, systemClock } from '@joust/io'
import { type AsyncEvaluators, computeVerdict, type LoadedAttack, type NormalAttack } from '@joust/oatf'
import { type Diagnostic, defined, err, kindOf, messageOf, ok, writeJson } from '@joust/source'
import { createReports, diagnostic } from '../model/diagnostics.ts'
import { arenaLimits } from '../model/limits.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceItem } from '../trace/read.ts'
import { createCompletion } from './complete.ts'
import { createEvaluationTime } from './evaluation-time.ts'
import type { JudgedIndicator, Judgement } from './verdict.ts'
import { createWatch, type Watch, type WatchTools } from './watch.ts'

/** Options of a judge. Without `cel`, expression indicators are skipped; without `semantic`, semantic ones are. */
export interface JudgeOptions extends AsyncEvaluators {
  /** How long the patterns and expressions of a document may take together; default 30 s (§5.7). */
  readonly evaluationMs?: number
  /** How long a semantic evaluator may take for a document; default 10 minutes. */
  readonly semanticMs?: number
  /** Times the waiting for semantic evaluators; `now`, where given, is the time of verdicts. */
  readonly clock?: Clock
  /** Stops waiting for a semantic evaluator. */
  readonly signal?: AbortSignal
  /** The name of the tool in the verdict; default `joust`. */
  readonly source?: string
}

/** A judge that sees a trace as it grows. */
export interface Judge {
  /** Takes the next entry, or what reading it gave. Wait for the promise, if there is one, to bound memory. */
  add(item: TraceEntry | TraceItem): Promise<void> | undefined
  /** Marks the trace as one that cannot be trusted: an indicator that has not matched by the end is an `error`. */
  fail(fault: Diagnostic): void
  /** The verdict on what was seen. */
  finish(): Promise<Judgement>
}

/** A trace as it is recorded, or as it is read. */
type JudgedTrace = Iterable<TraceEntry | TraceItem> | AsyncIterable<TraceEntry | TraceItem>

/** Judges a trace as any conforming tool would; one that breaks off, or has broken lines, gives `error` where nothing matched. */
export function judge(attack: LoadedAttack, trace: JudgedTrace, options: JudgeOptions = {}): Promise<Judgement> {
  return judgeAll(createJudge(attack, options), trace)
}

/** Judges whether the task of an attack was done, over the trace of the attack; undefined when it has no task. */
export async function judgeTask(
  { task, patterns }: LoadedAttack,
  trace: JudgedTrace,
  options: JudgeOptions = {},
): Promise<Judgement | undefined> {
  if (task === undefined) return undefined
  if (task.ok) return judgeAll(completing(judgingOf(task.value, { ...options, patterns }), 'whole'), trace)
  const none = { matched: 0, not_matched: 0, error: 0, skipped: 0 }
  return { result: 'error', indicator_verdicts: [], evaluation_summary: none, diagnostics: task.error }
}

/** Begins a judgement of the attack as written, over messages as they were received. */
export function createJudge({ document, unread, patterns }: LoadedAttack, options: JudgeOptions = {}): Judge {
  return completing(judgingOf(unread ?? document.attack, { ...options, patterns }), 'received')
}

/** Judges one message by the attack as it is read, with derived entries. */
export function judgeMessage(
  { document, patterns }: LoadedAttack,
  entry: TraceEntry,
  options: JudgeOptions,
): Promise<Judgement> {
  return judgeAll(completing(judgingOf(document.attack, { ...options, patterns }), 'whole'), [entry])
}

async function judgeAll(judging: Judge, trace: JudgedTrace): Promise<Judgement> {
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

/** A judge that derives what a trace of messages leaves out. */
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

/** Options of a judgement that an outcome rests on. */
interface JudgingOptions extends JudgeOptions {
  /** The message that brought the first bait, once it was sent. */
  readonly baitSeq?: () => number | undefined
}

/** A judgement in progress, over complete entries. */
interface Judging {
  take(entries: readonly TraceEntry[]): Promise<void> | undefined
  fail(fault: Diagnostic): undefined
  finish(): Promise<Judgements>
}

/** The judgements of one reading of an attack. */
interface Judgements {
  /** Over messages as they were received and sent. */
  readonly received: Judgement
  /** The same with derived entries. */
  readonly whole: Judgement
  /** The same with only those messages of the agent that came after an entry. */
  after(seq: number | undefined): Judgement
}

/**
 * Begins a judgement of an attack. `written` is the attack without its readings, which the judgement over received
 * messages is about; an indicator that reads the same there is evaluated once.
 */
export function judgingOf(attack: NormalAttack, options: JudgingOptions, written = attack): Judging {
  const { source = 'joust' } = options
  const clock = clockOf(options)
  const findings = createReports(undefined, arenaLimits.traceFindings)
  const tools = toolsOf(options, clock, findings.add)
  const read = watchesOf(attack, tools)
  const asWritten = written === attack ? read : watchesOf(written, { ...tools, baitSeq: undefined }, attack, read)
  const watches = [...new Set([...read, ...asWritten])]
  /** Semantic questions are asked one after the other. */
  let last: Promise<void> = Promise.resolve()
  return {
    fail(fault) {
      findings.add(fault)
      for (const watch of watches) watch.fail(`${fault.code}: ${fault.message}`)
    },
    take(entries) {
      let waiting = false
      for (const entry of entries) {
        for (const watch of watches) {
          const work = watch.take(entry)
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
      const whole = read.map((watch) => watch.whole())
      const received = asWritten.map((watch) => watch.received())
      return {
        received: judgement(written, received),
        whole: judgement(attack, whole),
        after: (seq) =>
          judgement(
            attack,
            read.map((watch) => watch.after(seq)),
          ),
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

/** A watch for each indicator, by position: two may have one id. Those that stand in `known` are not made again. */
function watchesOf(
  attack: NormalAttack,
  tools: WatchTools,
  known?: NormalAttack,
  watches: readonly Watch[] = [],
): readonly Watch[] {
  const ids = computeVerdict(attack, []).indicator_verdicts.map((verdict) => verdict.indicator_id)
  return (attack.indicators ?? []).map((indicator, index) => {
    const before = known?.indicators?.[index]
    const isKnown = before !== undefined && writeJson(before) === writeJson(indicator)
    return (isKnown ? watches[index] : undefined) ?? createWatch(ids[index] ?? '', indicator, tools)
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
  return {
    ...verdict,
    indicator_verdicts: judged,
    source,
    ...(diagnostics.length > 0 ? { diagnostics } : {}),
  }
}

/** The entry of an item. */
export function entryIn(item: TraceEntry | TraceItem): TraceItem {
  // Traces come from outside: an iterable may hold anything.
  if (typeof item !== 'object' || item === null) {
    return err(diagnostic('trace-malformed', `${kindOf(item)} where an entry of a trace should be`))
  }
  return 'ok' in item ? item : ok(item)
}
