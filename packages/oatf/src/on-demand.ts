/** For programs that may wait and want to start fast: what a document does not need is not imported. */
import { type Diagnostic, withLimits } from '@joust/source'
import type { LintOptions } from './lint.ts'
import type { Document } from './model/document.ts'
import type { ValidationResult } from './model/errors.ts'
import { runRules } from './rules/run.ts'
import { type SyntaxCheckers, syntaxOf } from './rules/syntax.ts'
import { ruleTable } from './rules/table.ts'
import { type Walk, walkDocument } from './rules/walk.ts'
import type { ValidateOptions } from './validate.ts'

export { parse } from './parse.ts'

/** The same text as `serialize`. */
export async function serializeOnDemand(document: Document): Promise<string> {
  return (await import('./serialize.ts')).serialize(document)
}

/** The same findings as `lint`, without CEL for a document that has no expressions. */
export async function lintOnDemand(document: Document, options: LintOptions = {}): Promise<Diagnostic[]> {
  const limits = withLimits(options.limits)
  if (hasExpressions(walkDocument(document, syntaxOf(none, limits)))) {
    return (await import('./lint.ts')).lint(document, options)
  }
  const [{ runLint }, { lintTable }] = await Promise.all([import('./lint/run.ts'), import('./lint/table.ts')])
  return runLint(lintTable, document, undefined, limits)
}

/** The same findings as `validate`, with only the libraries loaded that the document calls for. */
export async function validateOnDemand(document: Document, options: ValidateOptions = {}): Promise<ValidationResult> {
  const limits = withLimits(options.limits)
  const walk = walkDocument(document, syntaxOf(none, limits))
  const cel = hasExpressions(walk)
  const jsonPath = walk.extractors.length > 0
  const checkers = {
    cel: cel ? (await import('./adapters/cel.ts')).celSyntaxError : none.cel,
    jsonPath: jsonPath ? (await import('./adapters/json-path.ts')).jsonPathSyntaxError : none.jsonPath,
  }
  return runRules(ruleTable, document, checkers, limits)
}

function hasExpressions(walk: Walk): boolean {
  return walk.indicators.some((indicator) => Object.hasOwn(indicator.value, 'expression'))
}

const none: SyntaxCheckers = { cel: () => undefined, jsonPath: () => undefined }
