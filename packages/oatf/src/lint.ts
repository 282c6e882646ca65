/** Beyond conformance: what is legal in a document and still does not do what it is meant to. */
import { type Diagnostic, type Limits, treeFault, withLimits } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { unknownCelFunctions } from './adapters/cel-functions.ts'
import { celReads } from './adapters/cel-reads.ts'
import { runLint } from './lint/run.ts'
import { lintTable } from './lint/table.ts'
import type { Document } from './model/document.ts'
import { lintLimits } from './model/limits.ts'

/** Options of `lint`. */
export interface LintOptions {
  readonly limits?: Partial<Limits>
}

/** Every finding, sorted by position. Made for valid documents, in any form; about others it says what it can. */
export function lint(document: Document, options: LintOptions = {}): Diagnostic[] {
  const limits = withLimits(options.limits)
  const fault = treeFault(document, limits)
  if (fault !== undefined) return [{ severity: 'error', code: 'limit', message: fault, path: '' }]
  const evaluator = createCelEvaluator({ limits: lintLimits(limits) })
  return runLint(lintTable, document, { reads: celReads, unknownFunctions: unknownCelFunctions, evaluator }, limits)
}
