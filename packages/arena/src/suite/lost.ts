/** What is said of a run that nobody could make. */
import { diagnostic } from '../model/diagnostics.ts'
import type { Redacted } from '../model/redacted.ts'
import type { Trial } from '../results/model.ts'
import { attackAssessment } from '../results/outcome.ts'
import { redactTrial } from '../results/redact.ts'
import { knownShapes } from '../results/redactor.ts'

/** A trial of which nothing can be said, and why. */
export function lostTrial(trial: number, reason: string): Redacted<Trial> {
  const diagnostics = [diagnostic('run-unfinished', reason)]
  const unknown = attackAssessment([])
  const verdict = { ...unknown.verdict, diagnostics }
  const ending = { trace: '', duration_ms: 0, ended: 'failed', actors: [], diagnostics } as const
  return redactTrial({ ...unknown, trial, reasons: [reason], verdict, ...ending }, [], knownShapes())
}
