/**
 * [OATF SDK §3.1](https://oatf.io/sdk/entry-points/): parses text into a typed document. Checks only the structure;
 * `validate` checks the content.
 */
import {
  checkShape,
  err,
  formatPath,
  isRecord,
  kindOf,
  type Limits,
  ok,
  type Result,
  readSource,
  type ShapeFault,
  type Source,
  type SourceDiagnostic,
  sortByPosition,
  suggestion,
  withLimits,
} from '@joust/source'
import type { Document } from './model/document.ts'
import { documentShape } from './model/document.ts'
import type { ParseError } from './model/errors.ts'
import { setOrigin } from './model/origin.ts'
import { constructMessage } from './rules/document/plain-yaml.ts'
import { specRefOf } from './rules/table.ts'

/**
 * Options for `parse`.
 *
 * @example
 * const parsed = parse(text, { limits: { yamlBytes: 100_000 } })
 */
export interface ParseOptions {
  /** Limits for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
}

/**
 * Parses a YAML or JSON text into a document, or returns all structural errors.
 *
 * @example
 * const parsed = parse(text)
 * if (!parsed.ok) console.error(parsed.error.map(({ path, message }) => `${path}: ${message}`))
 */
export function parse(input: string, options: ParseOptions = {}): Result<Document, ParseError[]> {
  const source = read(input, options)
  return source.ok ? shape(source.value) : source
}

/** Reads text into a plain value. This is the first half of `parse`. */
export function read(input: string, options: ParseOptions = {}): Result<Source, ParseError[]> {
  const source = readSource(input, withLimits(options.limits))
  return source.ok ? source : err(source.error.map(fromReader))
}

/** Checks the shape of a plain value. This is the second half of `parse`. */
export function shape(source: Source): Result<Document, ParseError[]> {
  if (!isRecord(source.value)) return err([wrongRoot(source)])
  const faults = checkShape(source.value, documentShape)
  // The shape check above succeeded.
  if (faults.length === 0) return ok(setOrigin(source.value as unknown as Document, source))
  return err(sortByPosition([...faults.map((fault) => fromShape(fault, source)), ...bannedYaml(source)]))
}

function fromReader(found: SourceDiagnostic): ParseError {
  const rule = found.code === 'alias-cycle' || found.limit === 'yamlAliasNodes' ? 'V-020' : undefined
  return parseError({ ...found, kind: 'syntax', rule })
}

function wrongRoot(source: Source): ParseError {
  const message = `the document must be a mapping with "oatf" and "attack", got ${kindOf(source.value)}`
  return parseError({ kind: 'type_mismatch', message, path: '', ...source.locate([]) })
}

function fromShape(fault: ShapeFault, source: Source): ParseError {
  const location = fault.at === 'key' ? source.locateKey(fault.path) : source.locate(fault.path)
  const { kind, message, rule, at, meant: correction } = fault
  return parseError({ kind, message, rule, path: formatPath(fault.path), ...suggestion(at, correction), ...location })
}

/** Returns the V-020 findings for a document that does not reach `validate`. */
function bannedYaml(source: Source): ParseError[] {
  return source.constructs().map((construct) =>
    parseError({
      kind: 'syntax',
      rule: 'V-020',
      message: constructMessage(construct),
      path: formatPath(construct.path),
      ...source.position(construct.offset),
    }),
  )
}

function parseError(
  found: Pick<ParseError, 'kind' | 'message'> & Partial<Omit<ParseError, 'rule'>> & { rule?: string | undefined },
): ParseError {
  const { rule, ...rest } = found
  if (rule === undefined) return { ...rest, severity: 'error', code: found.kind }
  return { ...rest, severity: 'error', code: rule, rule, spec_ref: specRefOf(rule) }
}
