/** Runs without secrets, before anything of them is kept. */
import { isList, isRecord, type Value, valueToText } from '@joust/source'
import type { JudgedIndicator, Judgement } from '../judge/verdict.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { AttackRun } from '../run.ts'
import type { Redactor } from './redact.ts'
import { redactMatch, redactTrial } from './redact-results.ts'

/**
 * A run with secrets hidden in everything that agents, documents and users have said, and without its trace. What an
 * indicator has matched is looked up there first: a secret that the cut of the evidence went through would not be known
 * by its rest.
 */
export function redactRun(run: AttackRun, redactor: Redactor): AttackRun {
  const { trace, output, ...rest } = run
  const trial = { ...rest, trial: 1, trace: '', verdict: redactVerdict(run.verdict, trace, redactor) }
  const { trial: _, trace: __, ...redacted } = redactTrial(trial, redactor)
  // A trial holds all fields of a run but these two.
  const typed = redacted as unknown as Omit<AttackRun, 'trace' | 'output'>
  return { ...typed, trace: [], ...(output === undefined ? {} : { output: redactor.text(output) }) }
}

/** A verdict on a trace, redacted by what the trace holds in full. */
export function redactVerdict(verdict: Judgement, trace: readonly TraceEntry[], redactor: Redactor): Judgement {
  const entries = new Map(trace.map((entry) => [entry.seq, entry]))
  const indicators = verdict.indicator_verdicts.map((one) => redactIndicator(one, entries, redactor))
  return { ...verdict, indicator_verdicts: indicators }
}

function redactIndicator(
  verdict: JudgedIndicator,
  entries: ReadonlyMap<number, TraceEntry>,
  redactor: Redactor,
): JudgedIndicator {
  const { match, entry, evidence } = verdict
  const content = entry === undefined ? undefined : entries.get(entry.seq)?.content
  if (match === undefined) return verdict
  const whole = content === undefined ? undefined : wholeText(content, match.value, match.offset ?? 0)
  const redacted = redactMatch(match, redactor, whole)
  // The evidence of a pattern is its match in one line.
  const line =
    evidence?.endsWith(match.value) === true ? evidence.slice(0, -match.value.length) + redacted.value : evidence
  return { ...verdict, match: redacted, ...(line === undefined ? {} : { evidence: line }) }
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
