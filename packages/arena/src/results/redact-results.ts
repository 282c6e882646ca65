/** Results and traces without secrets. */
import type { Match } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { TraceSink } from '../model/options.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { AttackResults, Results, ResultVerdict, Trial } from './model.ts'
import { pick } from './pick.ts'
import { markOf, type Redactor, replaceSpans } from './redact.ts'
import type { SecretSpan } from './secret-shapes.ts'
import { resultsShape, trialShape } from './shapes.ts'

/** Results with secrets hidden in everything that agents, documents and users have said; names and numbers stay. */
export function redactResults(results: Results, redactor: Redactor): Results {
  // Plain data by its type, and `pick` keeps the shape.
  const redacted = pick(results as unknown as Value, resultsShape, redactor.text) as unknown as Results
  return { ...redacted, attacks: redacted.attacks.map((attack) => redactAttack(attack, redactor)) }
}

/** An entry with secrets hidden in its content; what tells messages apart stays. */
export function redactEntry(entry: TraceEntry, redactor: Redactor): TraceEntry {
  const { session, malformed } = entry
  return {
    ...entry,
    content: redactor.value(entry.content),
    ...(session === undefined ? {} : { session: redactor.text(session) }),
    ...(malformed === undefined ? {} : { malformed: redactor.text(malformed) }),
  }
}

/** A sink that hides secrets before it hands entries on. */
export function redactingSink(sink: TraceSink, redactor: Redactor): TraceSink {
  return { write: (entry) => sink.write(redactEntry(entry, redactor)), fault: () => sink.fault() }
}

function redactAttack(attack: AttackResults, redactor: Redactor): AttackResults {
  return {
    ...attack,
    verdict: redactMatches(attack.verdict, redactor),
    trials: attack.trials.map((trial) => redactTrialMatches(trial, redactor)),
  }
}

/** A trial with secrets hidden in what was said; names, numbers and counts stay what they are. */
export function redactTrial(given: Trial, redactor: Redactor): Trial {
  // Plain data by its type, and `pick` keeps the shape.
  const trial = pick(given as unknown as Value, trialShape, redactor.text) as unknown as Trial
  return redactTrialMatches(trial, redactor)
}

function redactTrialMatches(trial: Trial, redactor: Redactor): Trial {
  const { verdict, task } = trial
  return {
    ...trial,
    verdict: redactMatches(verdict, redactor),
    ...(task === undefined ? {} : { task: redactMatches(task, redactor) }),
  }
}

function redactMatches(verdict: ResultVerdict, redactor: Redactor): ResultVerdict {
  return {
    ...verdict,
    indicator_verdicts: verdict.indicator_verdicts.map(({ match, ...rest }) =>
      match === undefined ? rest : { ...rest, match: redactMatch(match, redactor) },
    ),
  }
}

/**
 * The span moves with the text around it; one that was inside a secret covers the mark. `whole` is the text that the match
 * was cut from, where it is at hand.
 */
export function redactMatch(match: Match, redactor: Redactor, whole?: string): Match {
  const { value, span, offset = 0 } = match
  const hidden = whole === undefined ? redactor.spans(value) : within(redactor.spans(whole), offset, value.length)
  if (hidden.length === 0) return match
  const moved = span && { start: moveTo(span.start, hidden, 'start'), end: moveTo(span.end, hidden, 'end') }
  return { ...match, value: replaceSpans(value, hidden), ...(moved === undefined ? {} : { span: moved }) }
}

/** The parts of spans that lie in a window, counted from its beginning. */
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
