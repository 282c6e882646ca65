/** Finds mistakes in valid documents: attacks that cannot work as written. */
import { checkTree, type Diagnostic, type Limits, withLimits } from '@joust/source'
import { celLibrary } from './adapters/cel-library.ts'
import { lintContext } from './lint/context.ts'
import { runLint } from './lint/run.ts'
import { lintTable } from './lint/table.ts'
import type { Document } from './model/document.ts'
import { walkDocument } from './walk/walk.ts'

/**
 * Options for `lint`.
 *
 * @example
 * const findings = lint(attack.document, { limits: { regexWork: 1_000_000 } })
 */
export interface LintOptions {
  /** Limits for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
}

/**
 * Returns the findings, sorted by position. Intended for valid documents in any form; others are checked as far as
 * possible.
 *
 * @example
 * for (const { code, path, message } of lint(unwrap(load(text), text).document)) console.log(code, path, message)
 */
export function lint(document: Document, options: LintOptions = {}): Diagnostic[] {
  const limits = withLimits(options.limits)
  const tree = checkTree(document, limits)
  if (!tree.ok) return [{ severity: 'error', code: 'limit', message: tree.error, path: '' }]
  return runLint(lintTable, lintContext(walkDocument(document), celLibrary, limits))
}
