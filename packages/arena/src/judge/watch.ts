/** One indicator over a trace: the filter of §6, and the result so far. */
import {
  compileIndicator,
  type Evaluators,
  findMode,
  type Indicator,
  type IndicatorVerdict,
  type SemanticMatch,
} from '@joust/oatf'
import { type Diagnostic, isRecord, type Value } from '@joust/source'
import { contentRoot } from '../model/content-root.ts'
import { diagnostic } from '../model/diagnostics.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { EvaluationTime } from './evaluation-time.ts'
import { compileSemantic, type SemanticProgram, type SemanticTools } from './semantic.ts'
import { lackFor } from './shortfalls.ts'
import { type Considered, type DecidingEntry, decidingEntry, type JudgedIndicator } from './verdict.ts'

/** What indicators are evaluated with. */
export interface WatchTools {
  readonly evaluators: Omit<Evaluators, 'semantic' | 'now'>
  /** Undefined without an evaluator. */
  readonly semantic: SemanticTools | undefined
  readonly now: () => number
  readonly time: EvaluationTime
  /** Called with what keeps the document, or one of its indicators, from being judged. */
  readonly report: (diagnostic: Diagnostic) => void
}

/** An indicator that looks at messages as they come in. */
export interface Watch {
  /** Takes a message; returns the remaining work when an evaluator has to be waited for. */
  take(entry: TraceEntry): (() => Promise<void>) | undefined
  /** Nothing can be ruled out any more: unless it matches, the indicator ends as `error`. */
  fail(reason: string, entry?: TraceEntry): void
  verdict(): JudgedIndicator
}

/** Begins to watch. `id` is the indicator's after normalization. */
export function createWatch(id: string, indicator: Indicator, tools: WatchTools): Watch {
  const { protocol, actor } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  const evaluation = evaluationOf(indicator, tools)
  const verdicts = collectVerdicts(id, tools.now)
  const considered = { protocol: 0, surface: 0, actor: 0, direction: 0, evaluated: 0 }
  const rootOf = contentRoot(pathsOf(indicator))
  const formal = new Set<string>()
  let contact = false
  /** Whether a message of the agent was evaluated, be it a mere formality. */
  let heard = false
  if (typeof protocol !== 'string') verdicts.fail('the indicator names no protocol, so no message can be chosen for it')

  const ask = async (entry: TraceEntry, root: Value, program: SemanticProgram) => {
    if (verdicts.settled(entry)) return
    const fault = await program.examplesFault()
    if (fault !== undefined) {
      tools.report(diagnostic('semantic-examples', `${id}: ${fault}`, 'attack.indicators'))
      return verdicts.fail(`semantic-examples: ${fault}`)
    }
    considered.evaluated += 1
    heard ||= isOfAgent(entry)
    verdicts.conclude(entry, await program.evaluate(root))
  }
  return {
    fail: verdicts.fail,
    take(entry) {
      if (evaluation.kind === 'none' || entry.protocol !== protocol || verdicts.settled(entry)) return undefined
      if (isOfAgent(entry) && (actor === undefined || entry.actor === actor)) {
        const formality = contact ? undefined : formalityIn(entry)
        if (formality === undefined) contact = true
        else formal.add(formality)
        // What could not be read may be the breach, whatever operation it appears to be.
        if (entry.malformed !== undefined)
          verdicts.fail(`entry ${entry.seq} could not be read: ${entry.malformed}`, entry)
      }
      if (!passes(indicator, entry, considered) || entry.malformed !== undefined) return undefined
      const root = rootOf(entry)
      if (evaluation.kind === 'semantic') return () => ask(entry, root, evaluation.program)
      const verdict = inTime(root, evaluation.run, tools)
      if (typeof verdict === 'string') verdicts.fail(verdict, entry)
      else {
        considered.evaluated += 1
        heard ||= isOfAgent(entry)
        verdicts.conclude(entry, verdict)
        // What was hidden might have matched.
        if (entry.redacted && entry.flow === 'in' && verdict.result === 'not_matched')
          verdicts.fail(`parts of entry ${entry.seq} are hidden`, entry)
      }
      return undefined
    },
    verdict() {
      const otherwise = () => {
        if (evaluation.kind === 'none') return { result: 'skipped', evidence: evaluation.reason } as const
        if (contact) return { result: 'not_matched' } as const
        return { result: heard ? 'not_matched' : 'skipped', evidence: noContact(indicator, formal, tools) } as const
      }
      return { ...verdicts.verdict(otherwise), considered: { ...considered } }
    },
  }
}

/** The verdict on a message, or that no time is left for it. */
function inTime(content: Value, run: Run, { time, now, report }: WatchTools): IndicatorVerdict | string {
  if (time.left() <= 0) {
    const reason = `evaluation took longer than the ${time.milliseconds} ms that a document may take`
    report(diagnostic('evaluation-expired', reason, 'attack.indicators'))
    return reason
  }
  const start = now()
  const verdict = run(content, start)
  time.spend(now() - start)
  return verdict
}

/** Steps 2 to 4 of §6, counted; step 1 is done. */
function passes(
  { surface, actor, direction }: Indicator,
  entry: TraceEntry,
  considered: { -readonly [step in keyof Considered]: number },
): boolean {
  considered.protocol += 1
  if (surface !== undefined && entry.surface !== surface) return false
  considered.surface += 1
  if (actor !== undefined && entry.actor !== actor) return false
  considered.actor += 1
  if (direction !== undefined && entry.direction !== direction) return false
  considered.direction += 1
  return true
}

/** Every path of an indicator, and its expression. */
function pathsOf(indicator: Indicator): readonly string[] {
  const { target, pattern, expression, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  const variables = Object.values(expression?.variables ?? {})
  const paths = [target, pattern?.target, semantic?.target, expression?.cel, ...variables]
  return paths.filter((path) => typeof path === 'string')
}

type Run = (message: Value, time: number) => IndicatorVerdict

type Evaluation =
  | { readonly kind: 'now'; readonly run: Run }
  | { readonly kind: 'semantic'; readonly program: SemanticProgram }
  | { readonly kind: 'none'; readonly reason: string }

function evaluationOf(indicator: Indicator, { evaluators, semantic: tools }: WatchTools): Evaluation {
  const lack = lackFor(indicator, { cel: evaluators.cel, semantic: tools })
  if (lack !== undefined) return { kind: 'none', reason: lack }
  const { pattern, expression, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  if (tools !== undefined && !isRecord(pattern) && !isRecord(expression) && isRecord(semantic)) {
    // A mapping; its fields are checked where they are used.
    return { kind: 'semantic', program: compileSemantic(indicator, semantic as unknown as SemanticMatch, tools) }
  }
  let at = 0
  const program = compileIndicator(indicator, { ...evaluators, now: () => at })
  const run: Run = (message, time) => {
    at = time
    return program(message)
  }
  return { kind: 'now', run }
}

/** Reports that the agent was not there, and returns the sentence. */
function noContact(indicator: Indicator, formal: ReadonlySet<string>, { report }: WatchTools): string {
  const { protocol, actor } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  const where = actor === undefined ? '' : ` to the actor ${actor}`
  const but = formal.size === 0 ? '' : ` but ${[...formal].join(', ')}`
  const message = `no contact: the agent sent no ${protocol} message${where}${but}`
  report(diagnostic('no-contact', message))
  return message
}

/** A verdict without the counts. */
type EntryVerdict = IndicatorVerdict & { readonly entry?: DecidingEntry }

/** Collects the results of evaluations: a match outranks a failure, and a failure outranks nothing. */
function collectVerdicts(id: string, now: () => number) {
  let found: EntryVerdict | undefined
  let failure: EntryVerdict | undefined
  const stamp = () => ({ indicator_id: id, timestamp: new Date(now()).toISOString() })
  /** Nothing can be ruled out any more; the first reason is kept. */
  const fail = (reason: string, entry?: TraceEntry) => {
    const where = entry === undefined ? {} : { entry: decidingEntry(entry) }
    failure ??= { ...stamp(), result: 'error', evidence: reason, ...where }
  }
  return {
    /** Whether a message can add nothing: the attacker's own match counts only as long as the agent has none. */
    settled: ({ flow }: TraceEntry) => found !== undefined && (flow === 'out' || found.entry?.flow === 'in'),
    fail,
    /** Takes the verdict on one message. */
    conclude(entry: TraceEntry, verdict: IndicatorVerdict) {
      if (verdict.result === 'matched') found = { ...verdict, indicator_id: id, entry: decidingEntry(entry) }
      else if (verdict.result !== 'not_matched') fail(`${verdict.evidence}, in entry ${entry.seq}`, entry)
    },
    /** The verdict on all messages; `otherwise` counts when none matched and none failed. */
    verdict: (otherwise: () => Pick<IndicatorVerdict, 'result' | 'evidence'>): EntryVerdict =>
      found ?? failure ?? { ...stamp(), ...otherwise() },
  }
}

/** Operations that greet, keep a connection alive or set it up. */
const formalities: Readonly<Record<string, readonly string[]>> = {
  mcp: ['initialize', 'ping', 'logging/setLevel'],
}

const NOTIFICATION = 'notifications/'

/** Whether the agent sent it. A push notification is answered by an endpoint that the document names. */
function isOfAgent({ flow, surface }: TraceEntry): boolean {
  return flow === 'in' && surface !== 'send_push_notification'
}

/**
 * Why a message of the agent does not count as contact, in a word or two; undefined when it does: a listing, a call, an
 * event of a run, an answer.
 */
export function formalityIn({ mode, protocol, surface, direction }: TraceEntry): string | undefined {
  const known = findMode(mode)?.events
  // Nothing is known of what a mode of another binding offers.
  if (known === undefined) return undefined
  if (surface.startsWith(NOTIFICATION)) return 'notifications'
  if (formalities[protocol]?.includes(surface)) return surface
  if (known.includes(surface)) return undefined
  return direction === 'response' ? 'answers that belong to no request' : 'methods that the protocol does not have'
}
