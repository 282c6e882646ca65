import type { Diagnostic, Position } from './diagnostic.ts'
import { exceeded, type LimitName, type Limits } from './limits.ts'
import type { Path } from './path.ts'
import { err, type Result } from './result.ts'
import type { Value } from './value.ts'

/** The codes of reader errors. With `limit`, the field of the same name has the limit. */
export type SourceCode = 'syntax' | 'empty' | 'several-documents' | 'alias-cycle' | 'limit'

/** An error of the reader, with a position if it has one. */
export type SourceDiagnostic = Diagnostic & {
  readonly severity: 'error'
  readonly code: SourceCode
  readonly limit?: LimitName
}

/** A position, with the end of the range when it is on the same line. */
export type Location = Position & { readonly end_column?: number }

/** A range of text, as offsets in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A YAML feature beyond plain data. Each format decides which are allowed. */
export interface Construct {
  readonly kind: 'anchor' | 'alias' | 'merge key' | 'tag' | 'directive'
  readonly text: string
  readonly path: Path
  readonly offset: number
}

/** A parsed text: its value, and the position of every part. */
export interface Source {
  readonly text: string
  readonly value: Value
  /** The location of the value at a path; for a path that does not exist, of its nearest ancestor's key. */
  locate(path: Path): Location
  /** The location of the key at a path. */
  locateKey(path: Path): Location
  /** The position of an offset. */
  position(offset: number): Position
  /** Anchors, aliases, merge keys, custom tags and tag directives, in document order. */
  constructs(): readonly Construct[]
  /** Offsets of the comments, which are not part of the value. */
  comments(): readonly number[]
}

/** A failed read with a single error. */
export function unreadable(
  code: Exclude<SourceCode, 'limit'>,
  message: string,
  position?: Position,
): Result<never, SourceDiagnostic[]> {
  return err([{ severity: 'error', code, message, ...position }])
}

/** A failed read that exceeded a limit. */
export function overLimit(
  limits: Limits,
  limit: LimitName,
  actual?: number,
  position?: Position,
): Result<never, SourceDiagnostic[]> {
  const { message } = exceeded(limits, limit, actual)
  return err([{ severity: 'error', code: 'limit', limit, message, ...position }])
}
