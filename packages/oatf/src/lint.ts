/** Beyond conformance: what is legal in a document and still will not do what it is meant to. */
import { type Diagnostic, type Limits, withLimits } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { celReads } from './adapters/cel-reads.ts'
import { lintLimits } from './lint/limits.ts'
import type { LintSubject } from './lint/rule.ts'
import { runLint } from './lint/run.ts'
import { lintRows } from './lint/table.ts'
import type { Document } from './model/document.ts'

/** What `lint` may be told. */
export interface LintOptions {
  readonly limits?: Partial<Limits>
  /** Which part of the document to look at; everything, if nothing is said. */
  readonly about?: LintSubject
}

/** Every finding, sorted by position. Made for valid documents, in any form; of others it says what it can. */
export function lint(document: Document, options: LintOptions = {}): Diagnostic[] {
  const limits = withLimits(options.limits)
  const evaluator = createCelEvaluator({ limits: lintLimits(limits) })
  return runLint(lintRows(options.about), document, { reads: celReads, evaluator }, limits)
}
