/** `x-joust-task`: whether the agent did what the user wanted, so that one that refuses everything does not look perfect. */
import { type Actor, type Attack, type Document, extractProtocol, load, normalize } from '@joust/oatf'
import {
  type Diagnostic,
  err,
  isList,
  isRecord,
  kindOf,
  ok,
  own,
  type Result,
  type Suggestion,
  suggest,
  suggestion,
  type Value,
  type ValueRecord,
  writeYaml,
} from '@joust/source'
import { type JudgeOptions, judge } from '../judge/judge.ts'
import type { Judgement } from '../judge/verdict.ts'
import { diagnostic } from '../model/diagnostics.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { TraceItem } from '../trace/read.ts'

/** The extension on the attack. */
export const TASK = 'x-joust-task'

const PATH = `attack.${TASK}`
const FIELDS = ['indicators', 'correlation']

/**
 * The document with the indicators of its task in place of its own; undefined when it has no task. They are written as
 * the indicators of an attack are, and get the same defaults: `exploited` then means that the task was done.
 */
export function taskDocument(document: Document): Result<Document | undefined, Diagnostic[]> {
  const written: Value | undefined = isRecord(document?.attack) ? document.attack[TASK] : undefined
  if (written === undefined) return ok(undefined)
  const shape = shapeFaults(written)
  if (shape.length > 0 || !isRecord(written)) return err(shape)
  const actors = normalize(document).attack.execution.actors ?? []
  const task = withProtocol(written, actors)
  const faults = indicatorFaults(document, task, actors)
  if (faults.length > 0) return err(faults)
  const { [TASK]: _, indicators: __, correlation: ___, ...attack } = document.attack
  // The check has shown that the task has what an attack may have in these two fields.
  return ok({ ...document, attack: { ...attack, ...(task as Pick<Attack, 'indicators' | 'correlation'>) } as Attack })
}

/** Judges the task over the trace of an attack; undefined when the document has none. Never rejects. */
export async function taskVerdict(
  document: Document,
  trace: Iterable<TraceEntry | TraceItem> | AsyncIterable<TraceEntry | TraceItem>,
  options: JudgeOptions = {},
): Promise<Judgement | undefined> {
  const task = taskDocument(document)
  if (task.ok) return task.value === undefined ? undefined : judge(task.value, trace, options)
  return {
    result: 'error',
    indicator_verdicts: [],
    evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 },
    diagnostics: task.error,
  }
}

function shapeFaults(task: Value): Diagnostic[] {
  if (!isRecord(task)) return [fault(`expected a mapping with "indicators", got ${kindOf(task)}`, PATH)]
  const unknown = Object.keys(task).filter((key) => !FIELDS.includes(key))
  const indicators = own(task, 'indicators')
  return [
    ...unknown.map((key) => {
      const hint = suggestion('key', suggest(key, FIELDS))
      return fault(`unknown field ${JSON.stringify(key)}.`, `${PATH}.${key}`, hint.suggestion)
    }),
    ...(isList(indicators) && indicators.length > 0
      ? []
      : [fault('expected a list of at least one indicator: what shows that the task was done', `${PATH}.indicators`)]),
  ]
}

/** An execution with one mode has one actor, called `default`, and its indicators need no protocol (§6). */
function withProtocol(task: ValueRecord, actors: readonly Actor[]): ValueRecord {
  const [only] = actors
  const indicators = own(task, 'indicators')
  if (only?.name !== 'default' || actors.length > 1 || !isList(indicators)) return task
  const protocol = extractProtocol(only.mode)
  return { ...task, indicators: indicators.map((one) => (isRecord(one) ? { protocol, ...one } : one)) }
}

/** What an indicator must be is checked in one place only: they are read as those of an attack with the same actors. */
function indicatorFaults({ oatf }: Document, task: ValueRecord, actors: readonly Actor[]): Diagnostic[] {
  const cast = actors.map(({ name, mode }) => ({ name, mode, phases: [{ name: 'any', state: {} }] }))
  const loaded = load(writeYaml({ oatf, attack: { execution: { actors: cast }, ...task } }))
  if (loaded.ok) return []
  const found = loaded.error.filter(({ path = '' }) => /^attack\.(?:indicators|correlation)\b/.test(path))
  return found.map(({ message, path = '', code, suggestion: hint }) =>
    fault(`${message} (${code})`, path.replace('attack', PATH), hint),
  )
}

function fault(message: string, path: string, hint?: Suggestion): Diagnostic {
  return diagnostic('task-malformed', message, path, hint)
}
