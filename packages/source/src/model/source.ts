import type { Diagnostic, Position } from './diagnostic.ts'
import { exceeded, type LimitName, type Limits } from './limits.ts'
import type { Path } from './path.ts'
import { err, type Result } from './result.ts'
import type { Value } from './value.ts'

/** Why a text could not be read. A `limit` is named by the message and by the field of that name. */
export type SourceCode = 'syntax' | 'empty' | 'several-documents' | 'alias-cycle' | 'limit'

/** A finding of the reader: always an error, with a position where there is one. */
export type SourceDiagnostic = Diagnostic & {
  readonly severity: 'error'
  readonly code: SourceCode
  readonly limit?: LimitName
}

/** A stretch of text on one line. */
export type Location = Position & { readonly end_column?: number }

/** A stretch of text, as offsets in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A piece of YAML beyond plain data. Whether it is allowed is the format's business. */
export interface Construct {
  readonly kind: 'anchor' | 'alias' | 'merge key' | 'tag' | 'directive'
  readonly text: string
  readonly path: Path
  readonly offset: number
}

/** A text that was read: its value, and where everything is. */
export interface Source {
  readonly text: string
  readonly value: Value
  /** Where the value of a path is; for a path that does not exist, its nearest ancestor's key. */
  locate(path: Path): Location
  /** Where the key of a path is. */
  locateKey(path: Path): Location
  /** The position of an offset. */
  position(offset: number): Position
  /** Anchors, aliases, merge keys, custom tags and tag directives, in document order. */
  constructs(): readonly Construct[]
  /** Offsets of the comments, which a value does not keep. */
  comments(): readonly number[]
}

/** A reading that failed, with its one finding. */
export function unreadable(
  code: Exclude<SourceCode, 'limit'>,
  message: string,
  position?: Position,
): Result<never, SourceDiagnostic[]> {
  return err([{ severity: 'error', code, message, ...position }])
}

/** A reading that went over a limit. */
export function overLimit(
  limits: Limits,
  limit: LimitName,
  actual?: number,
  position?: Position,
): Result<never, SourceDiagnostic[]> {
  const { message } = exceeded(limits, limit, actual)
  return err([{ severity: 'error', code: 'limit', limit, message, ...position }])
}
