/** Redacts results and traces. All writers require `Redacted` values, so unredacted values cannot be written. */
import type { Match } from '@joust/oatf'
import { findSpellings, isList, isRecord, type Value, valueToText } from '@joust/source'
import { hardeningShape, pick, resultsShape } from '../format/shapes.ts'
import { trialShape } from '../format/trial-shape.ts'
import type { ModelEntry } from '../model/model-entry.ts'
import { attackAssessment } from '../model/outcome-order.ts'
import type { Redacted } from '../model/redacted.ts'
import type {
  AttackResults,
  ResultHardening,
  ResultPreflight,
  Results,
  ResultVerdict,
  TargetResults,
  Trial,
} from '../model/results.ts'
import type { ReadFact } from '../model/run-facts.ts'
import type { TraceEntry, TraceSink } from '../model/trace-entry.ts'
import type { TraceEnding, TraceWriter } from '../trace/lines.ts'
import { redactModelEntry } from './redact-model.ts'
import { markOf, type Redactor, replaceSpans } from './redactor.ts'
import type { SecretSpan } from './secret-shapes.ts'
import { hideSplitSecrets } from './split-secrets.ts'

/** Redacts an entry and sets `redacted` if its content contained a secret. Identifying fields are unchanged. */
export function redactEntry(entry: TraceEntry, redactor: Redactor): Redacted<TraceEntry> {
  const { session, surface, malformed, request, about, headers, arguments: whole } = entry
  let hidden = false
  const hide = (value: Value) =>
    redactor.value(value, () => {
      hidden = true
    })
  const redacted: TraceEntry = {
    ...entry,
    // A peer may have put a secret into an operation name.
    ...(findSpellings(redactor.secrets, surface).length > 0 ? { surface: redactor.text(surface) } : {}),
    content: hide(entry.content),
    ...(request === undefined ? {} : { request: hide(request) }),
    ...(about === undefined ? {} : { about: redactor.text(about) }),
    // `value` returns an object of strings for an object of strings.
    ...(headers === undefined ? {} : { headers: hide(headers) as Record<string, string> }),
    // `value` returns a string for a string.
    ...(whole === undefined ? {} : { arguments: String(hide(whole)) }),
    ...(session === undefined ? {} : { session: redactor.text(session) }),
    ...(malformed === undefined ? {} : { malformed: redactor.text(malformed) }),
    ...(hidden ? { redacted: true } : {}),
  }
  return redacted as Redacted<TraceEntry>
}

/** A sink that buffers entries which may contain part of a secret. */
export interface RedactingSink extends Required<TraceSink> {
  /** Writes the buffered entries. */
  flush(): void
}

/** Creates a sink that redacts entries, and buffers those that may contain part of a secret of this run. */
export function redactingSink(
  writer: Pick<TraceWriter, 'write' | 'fault'> & Partial<Pick<TraceWriter, 'writeModel'>>,
  redactor: Redactor,
): RedactingSink {
  const write = (entry: TraceEntry) => writer.write(redactEntry(entry, redactor))
  const fault = () => writer.fault()
  const split = hideSplitSecrets<TraceEntry>(
    {
      secrets: redactor.secrets,
      streamOf: ({ actor, flow, session, derived }) => JSON.stringify([actor, flow, session, derived]),
      valueOf: ({ content }) => content,
      hidden: (entry, content) => ({ ...entry, content, redacted: true }),
    },
    write,
  )
  const flush = () => split.flush()
  const writeModel = (entry: ModelEntry) => {
    // Model calls follow all messages.
    flush()
    writer.writeModel?.(redactModelEntry(entry, redactor))
  }
  return { write: redactor.secrets.length === 0 ? write : split.push, writeModel, fault, flush }
}

/** Redacts the last line of a trace. */
export function redactEnding(ending: TraceEnding, { text }: Redactor): Redacted<TraceEnding> {
  const { actors, diagnostics, refusals, sent, model } = ending
  const readFact = ([path, { texts, missing, ...fact }]: [string, ReadFact]) => {
    const hidden = { ...(texts && { texts: texts.map(text) }), ...(missing && { missing: missing.map(text) }) }
    return [text(path), { ...fact, ...hidden }]
  }
  const withText = <T extends { readonly message: string }>(one: T): T => ({ ...one, message: text(one.message) })
  const hidden: TraceEnding = {
    ...ending,
    ...(actors && { actors: actors.map((actor) => ({ ...actor, phases: actor.phases.map(text) })) }),
    ...(diagnostics && { diagnostics: diagnostics.map(withText) }),
    ...(refusals && { refusals: refusals.map(withText) }),
    ...(sent && { sent: Object.fromEntries(Object.entries(sent).map(([path, seq]) => [text(path), seq])) }),
    ...(model && { model: { ...model, read: Object.fromEntries(Object.entries(model.read).map(readFact)) } }),
  }
  return hidden as Redacted<TraceEnding>
}

/**
 * Redacts the texts of a trial; names and numbers are unchanged. The full text of each match is taken from the trace,
 * because a secret that is truncated in the evidence would not be recognized.
 */
export function redactTrial(trial: Trial, trace: readonly TraceEntry[], redactor: Redactor): Redacted<Trial> {
  // Trials are plain data by type, and `pick` preserves the shape.
  const picked = pick(trial as unknown as Value, trialShape, redactor.text) as unknown as Trial
  const entries = new Map(trace.map((entry) => [entry.seq, entry]))
  const whole = ({ value, offset = 0 }: Match, seq: number | undefined) => {
    const entry = seq === undefined ? undefined : entries.get(seq)
    if (entry === undefined) return undefined
    const { content, request = null, arguments: args = null, headers = null } = entry
    return wholeText([content, request, args, headers], value, offset)
  }
  const redacted = (original: IndicatorVerdicts, other: IndicatorVerdicts) =>
    redactMatches(original, other, redactor, whole)
  const inVerdict = (original: ResultVerdict, other: ResultVerdict) => {
    return { ...other, indicator_verdicts: redacted(original.indicator_verdicts, other.indicator_verdicts) }
  }
  const { task, counted } = trial
  return {
    ...picked,
    verdict: inVerdict(trial.verdict, picked.verdict),
    ...(counted === undefined ? {} : { counted: redacted(counted, picked.counted ?? []) }),
    ...(task === undefined ? {} : { task: inVerdict(task, picked.task ?? task) }),
  } as Redacted<Trial>
}

export function redactPreflight(preflight: ResultPreflight, { text }: Redactor): Redacted<ResultPreflight> {
  const { reasons, answer } = preflight
  const redacted: ResultPreflight = {
    ...preflight,
    reasons: reasons.map(text),
    ...(answer !== undefined && { answer: text(answer) }),
  }
  // The other fields are fixed words and numbers.
  return redacted as Redacted<ResultPreflight>
}

/**
 * Redacts results except for the trials, which must already be redacted.
 *
 * @example
 * await writeFile('results.json', writeResults(redactResults(unredacted, knownShapes())))
 */
export function redactResults(results: WithRedactedTrials, redactor: Redactor): Redacted<Results> {
  const targets = results.targets.map((target) => {
    const attacks = target.attacks.map(({ placebo_trials: _, ...attack }) => ({ ...attack, trials: [] }))
    return { ...target, attacks }
  })
  // Results are plain data by type, and `pick` preserves the shape.
  const picked = pick({ ...results, targets } as unknown as Value, resultsShape, redactor.text) as unknown as Results
  const whole = picked.targets.map((target, place) => {
    const attacks = target.attacks.map((attack, index) => {
      const { trials = [], placebo_trials: placebo } = results.targets[place]?.attacks[index] ?? {}
      if (trials.length === 0) return attack
      // An attack takes its matches from one of its trials, but has its own reasons and controls.
      const { verdict, exposure, counted } = attackAssessment(trials)
      const matches = { verdict, exposure, ...(counted && { counted }) }
      return { ...attack, ...matches, trials, ...(placebo && { placebo_trials: placebo }) }
    })
    return { ...target, attacks }
  })
  return { ...picked, targets: whole } as unknown as Redacted<Results>
}

interface RedactedTrials extends AttackResults {
  readonly trials: readonly Redacted<Trial>[]
  readonly placebo_trials?: readonly Redacted<Trial>[]
}

interface WithRedactedTrials extends Results {
  readonly targets: readonly (TargetResults & { readonly attacks: readonly RedactedTrials[] })[]
}

/** Adds the result of hardening, redacted because it quotes the agent file. */
export function withHardening(
  results: Redacted<Results>,
  hardening: ResultHardening,
  { text }: Redactor,
): Redacted<Results> {
  // Hardening results are plain data by type, and `pick` preserves the shape.
  const hidden = pick(hardening as unknown as Value, hardeningShape, text) as unknown as ResultHardening
  const hardened: Results = { ...results, targets: results.targets.map((target) => ({ ...target, hardening: hidden })) }
  return hardened as Redacted<Results>
}

/** Redacts results of an earlier run again, with another redactor. */
export function redactMore(results: Redacted<Results>, redactor: Redactor): Redacted<Results> {
  const targets = results.targets.map((target) => {
    const again = (trial: Trial) => redactTrial(trial, [], redactor)
    const attacks = target.attacks.map(({ placebo_trials: placebo, ...attack }) => {
      return { ...attack, trials: attack.trials.map(again), ...(placebo && { placebo_trials: placebo.map(again) }) }
    })
    return { ...target, attacks }
  })
  return redactResults({ ...results, targets }, redactor)
}

type IndicatorVerdicts = ResultVerdict['indicator_verdicts']

/** Redacts matches and their evidence, given the original verdicts. The other texts are already redacted. */
function redactMatches(
  original: IndicatorVerdicts,
  picked: IndicatorVerdicts,
  redactor: Redactor,
  wholeOf: (match: Match, seq: number | undefined) => string | undefined,
): IndicatorVerdicts {
  const verdicts = original.map(({ match, evidence, entry }, index) => {
    const rest = picked[index]
    if (match === undefined) return rest
    const redacted = redactMatch(match, redactor, wholeOf(match, entry?.seq))
    // The evidence of a pattern ends with its match.
    const redactedEvidence =
      evidence?.endsWith(match.value) === true
        ? { evidence: redactor.text(evidence.slice(0, evidence.length - match.value.length)) + redacted.value }
        : {}
    return { ...rest, match: { ...redacted, path: redactor.text(match.path) }, ...redactedEvidence }
  })
  // `pick` preserves the number of verdicts.
  return verdicts as IndicatorVerdicts
}

/** Redacts a match and adjusts its span to the replacements. `whole` is the full text of the match, if available. */
function redactMatch(match: Match, redactor: Redactor, whole: string | undefined): Match {
  const { value, span, offset = 0 } = match
  const hidden = whole === undefined ? redactor.spans(value) : within(redactor.spans(whole), offset, value.length)
  if (hidden.length === 0) return match
  const moved = span && { start: moveTo(span.start, hidden, 'start'), end: moveTo(span.end, hidden, 'end') }
  return { ...match, value: replaceSpans(value, hidden), ...(moved === undefined ? {} : { span: moved }) }
}

function within(spans: readonly SecretSpan[], offset: number, length: number): SecretSpan[] {
  return spans
    .map(({ start, end, kind }) => ({ start: Math.max(start - offset, 0), end: Math.min(end - offset, length), kind }))
    .filter(({ start, end }) => start < end)
}

function moveTo(offset: number, hidden: readonly SecretSpan[], edge: 'start' | 'end'): number {
  let shift = 0
  for (const { start, end, kind } of hidden) {
    const mark = markOf(kind).length
    if (offset <= start) break
    if (offset < end) return edge === 'start' ? start + shift : start + shift + mark
    shift += mark - (end - start)
  }
  return offset + shift
}

/** Returns the full text from which an excerpt was taken: a string in the content, or part of it as compact JSON. */
function wholeText(content: Value, excerpt: string, offset: number): string | undefined {
  const pending: Value[] = [content]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const text = typeof next === 'string' ? next : textOf(next)
    if (text?.startsWith(excerpt, offset) === true) return text
    if (isList(next)) for (const item of next) pending.push(item)
    else if (isRecord(next)) pending.push(...Object.values(next))
  }
  return undefined
}

function textOf(value: Value): string | undefined {
  const text = valueToText(value, 'code-point')
  return text.ok ? text.value : undefined
}
