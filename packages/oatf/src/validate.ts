/** SDK §3.2: every violation and every warning of a document, sorted by position. */
import { type Limits, treeFault, withLimits } from '@joust/source'
import { celSyntaxError } from './adapters/cel-syntax.ts'
import { jsonPathSyntaxError } from './adapters/json-path.ts'
import type { Document } from './model/document.ts'
import type { ValidationResult } from './model/errors.ts'
import { runRules } from './rules/run.ts'
import type { SyntaxCheckers } from './rules/syntax.ts'
import { ruleTable } from './rules/table.ts'

/** Options of `validate`. */
export interface ValidateOptions {
  readonly limits?: Partial<Limits>
}

/** What CEL and JSONPath say about an expression. */
export const syntaxCheckers: SyntaxCheckers = { cel: celSyntaxError, jsonPath: jsonPathSyntaxError }

/** Checks a document against all rules. It conforms when `errors` is empty. */
export function validate(document: Document, options: ValidateOptions = {}): ValidationResult {
  const limits = withLimits(options.limits)
  const fault = treeFault(document, limits)
  if (fault !== undefined) {
    const error = { severity: 'error', rule: 'limit', code: 'limit', spec_ref: '', message: fault, path: '' } as const
    return { errors: [error], warnings: [] }
  }
  return runRules(ruleTable, document, syntaxCheckers, limits)
}
