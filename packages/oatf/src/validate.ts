import { checkTree, type Limits, withLimits } from '@joust/source'
import { libraries } from './adapters/libraries.ts'
import type { Document } from './model/document.ts'
import type { ValidationResult } from './model/errors.ts'
import { runRules } from './rules/run.ts'
import { syntaxOf } from './rules/syntax.ts'
import { ruleTable } from './rules/table.ts'
import { walkDocument } from './walk/walk.ts'

/** Options for {@link validate}. */
export interface ValidateOptions {
  /** Limits for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
}

/**
 * Checks a document against all rules ([OATF SDK §3.2](https://oatf.io/sdk/entry-points/)). The document conforms if
 * `errors` is empty.
 *
 * @example
 * const { errors, warnings } = validate(unwrap(parse(text), text))
 */
export function validate(document: Document, options: ValidateOptions = {}): ValidationResult {
  const limits = withLimits(options.limits)
  const tree = checkTree(document, limits)
  if (!tree.ok) {
    const limit = { rule: 'limit', code: 'limit', spec_ref: '' } as const
    return { errors: [{ severity: 'error', ...limit, message: tree.error, path: '' }], warnings: [] }
  }
  return runRules(ruleTable, walkDocument(document), syntaxOf(libraries, limits))
}
