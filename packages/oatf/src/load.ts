/** SDK §3.5: the whole story: text → parse → validate → normalize. */
import { type Diagnostic, err, ok, type Result } from '@joust/source'
import type { Document } from './model/document.ts'
import type { OatfError } from './model/errors.ts'
import { normalize } from './normalize.ts'
import { type ParseOptions, parse } from './parse.ts'
import { validate } from './validate.ts'

/** A valid, normalized document and what is worth knowing about it. */
export interface LoadResult {
  readonly document: Document
  readonly warnings: readonly Diagnostic[]
}

/** Loads a document, or says everything that is wrong: with its structure, else with its content. */
export function load(input: string, options: ParseOptions = {}): Result<LoadResult, OatfError[]> {
  const parsed = parse(input, options)
  if (!parsed.ok) return parsed
  const { errors, warnings } = validate(parsed.value, options)
  if (errors.length > 0) return err([...errors])
  return ok({ document: normalize(parsed.value), warnings })
}
