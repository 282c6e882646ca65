/** SDK §3.2: every violation and every warning of a document, sorted by position. */
import { celSyntaxError } from './adapters/cel.ts'
import { jsonPathSyntaxError } from './adapters/json-path.ts'
import type { Document } from './model/document.ts'
import type { ValidationResult } from './model/errors.ts'
import { runRules } from './rules/run.ts'
import { ruleTable } from './rules/table.ts'

/** Checks a document against all rules. It conforms when `errors` is empty. */
export function validate(document: Document): ValidationResult {
  return runRules(ruleTable, document, { cel: celSyntaxError, jsonPath: jsonPathSyntaxError })
}
