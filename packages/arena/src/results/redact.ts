/** Results and traces without secrets. Every writer asks for `Redacted`, so nothing else can be written. */
import type { Match } from '@joust/oatf'
import { findSpellings, isList, isRecord, type Value, valueToText } from '@joust/source'
import type { TraceSink } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceWriter } from '../trace/file.ts'
import type { TraceEnding } from '../trace/lines.ts'
import type {
  AttackResults,
  ResultControl,
  ResultHardening,
  Results,
  ResultVerdict,
  TargetResults,
  Trial,
} from './model.ts'
import { attackAssessment } from './outcome-order.ts'
import { markOf, type Redactor, replaceSpans } from './redactor.ts'
import type { SecretSpan } from './secret-shapes.ts'
import { hardeningShape, pick, resultsShape } from './shapes.ts'
import { hideSplitSecrets } from './split-secrets.ts'
import { trialShape } from './trial-shape.ts'

/** An entry with secrets hidden in its content, and marked where there were any; what identifies the message stays. */
export function redactEntry(entry: TraceEntry, redactor: Redactor): Redacted<TraceEntry> {
  const { session, surface, malformed, request, arguments: whole } = entry
  let hidden = false
  const hide = (value: Value) =>
    redactor.value(value, () => {
      hidden = true
    })
  const redacted: TraceEntry = {
    ...entry,
    // What identifies a message stays, unless a peer has put a secret there.
    ...(findSpellings(redactor.secrets, surface).length > 0 ? { surface: redactor.text(surface) } : {}),
    content: hide(entry.content),
    ...(request === undefined ? {} : { request: hide(request) }),
    // A text stays a text.
    ...(whole === undefined ? {} : { arguments: String(hide(whole)) }),
    ...(session === undefined ? {} : { session: redactor.text(session) }),
    ...(malformed === undefined ? {} : { malformed: redactor.text(malformed) }),
    ...(hidden ? { redacted: true } : {}),
  }
  return redacted as Redacted<TraceEntry>
}

/** A sink that can be told that nothing more will come. */
export interface RedactingSink extends TraceSink {
  /** Writes what is waiting for the rest of a secret. */
  flush(): void
}

/**
 * A sink for a run that hides secrets before a writer sees them. An entry that may hold a piece of a secret of this run
 * waits for the next ones; all others are written at once.
 */
export function redactingSink(writer: Pick<TraceWriter, 'write' | 'fault'>, redactor: Redactor): RedactingSink {
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
  return redactor.secrets.length === 0 ? { write, fault, flush() {} } : { write: split.push, fault, flush: split.flush }
}

/** The end of a trace with secrets hidden in its texts. */
export function redactEnding(ending: TraceEnding, { text }: Redactor): Redacted<TraceEnding> {
  const { actors, diagnostics, refusals, sent } = ending
  const withText = <T extends { readonly message: string }>(one: T): T => ({ ...one, message: text(one.message) })
  const hidden: TraceEnding = {
    ...ending,
    ...(actors && { actors: actors.map((actor) => ({ ...actor, phases: actor.phases.map(text) })) }),
    ...(diagnostics && { diagnostics: diagnostics.map(withText) }),
    ...(refusals && { refusals: refusals.map(withText) }),
    ...(sent && { sent: Object.fromEntries(Object.entries(sent).map(([path, seq]) => [text(path), seq])) }),
  }
  return hidden as Redacted<TraceEnding>
}

/**
 * A trial with secrets hidden in what was said; names, numbers and counts stay as they are. What an indicator matched
 * is looked up in the trace first: a secret that was cut off in the evidence would not be recognized by its rest.
 */
export function redactTrial(trial: Trial, trace: readonly TraceEntry[], redactor: Redactor): Redacted<Trial> {
  // Plain data by its type, and `pick` keeps the shape.
  const picked = pick(trial as unknown as Value, trialShape, redactor.text) as unknown as Trial
  const entries = new Map(trace.map((entry) => [entry.seq, entry]))
  const whole = ({ value, offset = 0 }: Match, seq: number | undefined) => {
    const entry = seq === undefined ? undefined : entries.get(seq)
    if (entry === undefined) return undefined
    return wholeText([entry.content, entry.request ?? null, entry.arguments ?? null], value, offset)
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

/** A control with secrets hidden in what was said. */
export function redactControl(control: ResultControl, { text }: Redactor): Redacted<ResultControl> {
  const { reasons, answer } = control
  const redacted: ResultControl = {
    ...control,
    reasons: reasons.map(text),
    ...(answer !== undefined && { answer: text(answer) }),
  }
  // The rest is words of ours and numbers.
  return redacted as Redacted<ResultControl>
}

/** Results with secrets hidden in everything but their trials, which have been redacted one by one. */
export function redactResults(results: WithRedactedTrials, redactor: Redactor): Redacted<Results> {
  const targets = results.targets.map((target) => {
    const attacks = target.attacks.map((attack) => ({ ...attack, trials: [] }))
    return { ...target, attacks }
  })
  // Plain data by its type, and `pick` keeps the shape.
  const picked = pick({ ...results, targets } as unknown as Value, resultsShape, redactor.text) as unknown as Results
  const whole = picked.targets.map((target, place) => {
    const attacks = target.attacks.map((attack, index) => {
      const trials = results.targets[place]?.attacks[index]?.trials ?? []
      // The assessment of an attack with trials is that of one of them.
      return trials.length === 0 ? attack : { ...attack, ...attackAssessment(trials), trials }
    })
    return { ...target, attacks }
  })
  return { ...picked, targets: whole } as unknown as Redacted<Results>
}

interface WithRedactedTrials extends Results {
  readonly targets: readonly (TargetResults & {
    readonly attacks: readonly (AttackResults & { readonly trials: readonly Redacted<Trial>[] })[]
  })[]
}

/** Results with what would have stopped the attacks; secrets are hidden there too, since it quotes the agent file. */
export function withHardening(
  results: Redacted<Results>,
  hardening: ResultHardening,
  { text }: Redactor,
): Redacted<Results> {
  // Plain data by its type, and `pick` keeps the shape.
  const hidden = pick(hardening as unknown as Value, hardeningShape, text) as unknown as ResultHardening
  const hardened: Results = { ...results, targets: results.targets.map((target) => ({ ...target, hardening: hidden })) }
  return hardened as Redacted<Results>
}

/** Results that were written earlier, with more hidden in them. */
export function redactMore(results: Redacted<Results>, redactor: Redactor): Redacted<Results> {
  const targets = results.targets.map((target) => {
    const attacks = target.attacks.map((attack) => {
      return { ...attack, trials: attack.trials.map((trial) => redactTrial(trial, [], redactor)) }
    })
    return { ...target, attacks }
  })
  return redactResults({ ...results, targets }, redactor)
}

type IndicatorVerdicts = ResultVerdict['indicator_verdicts']

/** Verdicts whose texts are redacted, with matches and the evidence that shows them redacted from the original. */
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
    // The evidence of a pattern is its match on one line.
    const shown =
      evidence?.endsWith(match.value) === true
        ? { evidence: redactor.text(evidence.slice(0, evidence.length - match.value.length)) + redacted.value }
        : {}
    return { ...rest, match: { ...redacted, path: redactor.text(match.path) }, ...shown }
  })
  // `pick` has kept all of them.
  return verdicts as IndicatorVerdicts
}

/**
 * The span moves with the text around it; one inside a secret covers the mark. `whole` is the text that the match was
 * cut from, where it is available.
 */
function redactMatch(match: Match, redactor: Redactor, whole: string | undefined): Match {
  const { value, span, offset = 0 } = match
  const hidden = whole === undefined ? redactor.spans(value) : within(redactor.spans(whole), offset, value.length)
  if (hidden.length === 0) return match
  const moved = span && { start: moveTo(span.start, hidden, 'start'), end: moveTo(span.end, hidden, 'end') }
  return { ...match, value: replaceSpans(value, hidden), ...(moved === undefined ? {} : { span: moved }) }
}

/** The parts of spans inside a window, counted from its beginning. */
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

/** The text that a piece was cut from: a string of the content, or a part of it as compact JSON. */
function wholeText(content: Value, piece: string, offset: number): string | undefined {
  const pending: Value[] = [content]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const text = typeof next === 'string' ? next : textOf(next)
    if (text?.startsWith(piece, offset) === true) return text
    if (isList(next)) for (const item of next) pending.push(item)
    else if (isRecord(next)) pending.push(...Object.values(next))
  }
  return undefined
}

function textOf(value: Value): string | undefined {
  const text = valueToText(value, 'code-point')
  return text.ok ? text.value : undefined
}
