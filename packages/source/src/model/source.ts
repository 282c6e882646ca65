import type { Diagnostic, Position } from './diagnostic.ts'
import { exceeded, type LimitName, type Limits } from './limits.ts'
import type { Path } from './path.ts'
import { err, type Result } from './result.ts'
import type { Value } from './value.ts'

/** The codes of parse errors. For `limit`, the field `limit` contains the name of the limit. */
export type SourceCode = 'syntax' | 'empty' | 'several-documents' | 'alias-cycle' | 'limit'

/** A parse error, with its position if known. */
export type SourceDiagnostic = Diagnostic & {
  readonly severity: 'error'
  readonly code: SourceCode
  readonly limit?: LimitName
}

/** A position, with the end column of the range if the range ends on the same line. */
export type Location = Position & { readonly end_column?: number }

/** A range of text, as offsets in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A YAML feature beyond plain data. Each format decides which features are allowed. */
export interface Construct {
  readonly kind: 'anchor' | 'alias' | 'merge key' | 'tag' | 'directive'
  readonly text: string
  readonly path: Path
  readonly offset: number
}

/** A parsed text: its value, and the positions of all nodes. */
export interface Source {
  readonly text: string
  readonly value: Value
  /** Returns the location of the value at a path or, if there is no value, of the nearest ancestor's key. */
  locate(path: Path): Location
  locateKey(path: Path): Location
  position(offset: number): Position
  /** Anchors, aliases, merge keys, custom tags and tag directives, in document order. */
  constructs(): readonly Construct[]
  /** Offsets of the comments, which are not part of the value. */
  comments(): readonly number[]
}

export function unreadable(
  code: Exclude<SourceCode, 'limit'>,
  message: string,
  position?: Position,
): Result<never, SourceDiagnostic[]> {
  return err([{ severity: 'error', code, message, ...position }])
}

export function overLimit(
  limits: Limits,
  limit: LimitName,
  actual?: number,
  position?: Position,
): Result<never, SourceDiagnostic[]> {
  const { message } = exceeded(limits, limit, actual)
  return err([{ severity: 'error', code: 'limit', limit, message, ...position }])
}
