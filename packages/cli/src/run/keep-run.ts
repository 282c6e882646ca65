/** What is kept of a run, by the journal and by the results: redacted, its task judged, its trace in a file. */
import { join } from 'node:path'
import {
  type AttackRun,
  endingOf,
  type Judgement,
  readTrace,
  redactRun,
  redactVerdict,
  type TraceWriter,
  taskVerdict,
} from '@joust/arena'
import type { AsyncEvaluators, Document } from '@joust/oatf'
import type { ResultsFolder } from './folder.ts'
import type { Redaction } from './redaction.ts'

/** A run as it is kept. */
export interface KeptRun extends AttackRun {
  /** Whether the agent did the user's work meanwhile, where the document says what that is. */
  readonly task?: Judgement
}

/** What keeping needs. */
export interface Keeping {
  readonly redaction: Redaction
  readonly evaluators: AsyncEvaluators
  readonly folder: ResultsFolder
}

/** Closes the trace, judges the task on it and hides secrets. */
export async function keepRun(
  run: AttackRun,
  document: Document,
  writer: TraceWriter | undefined,
  { redaction, evaluators }: Keeping,
): Promise<KeptRun> {
  // A fault of the writer is in the diagnostics of the run already.
  await writer?.close(endingOf(run)).catch(() => {})
  const task = await taskVerdict(document, run.trace, evaluators)
  const redacted = redactRun(run, redaction.results)
  return task === undefined ? redacted : { ...redacted, task: redactVerdict(task, run.trace, redaction.results) }
}

/** A run of an earlier suite. One that was kept before its document had a task is judged on its trace. */
export async function keptBefore(
  run: KeptRun,
  document: Document,
  trace: string,
  { evaluators, folder }: Keeping,
): Promise<KeptRun> {
  if (run.task !== undefined) return run
  const task = await taskVerdict(document, readTrace(join(folder.path, trace)), evaluators)
  return task === undefined ? run : { ...run, task }
}
