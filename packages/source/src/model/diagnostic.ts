/** The severity of a diagnostic. */
export type DiagnosticSeverity = 'error' | 'warning'

/** A position in a text. Lines and columns start at 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * A finding in a text ([OATF SDK §7.0](https://oatf.io/sdk/diagnostics/)), as plain data for JSON and messages to
 * workers.
 */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly line?: number
  readonly column?: number
  /** The column after the last character; absent if the range spans several lines. */
  readonly end_column?: number
  /** The OATF clause as "§" and a number. */
  readonly spec_ref?: string
  readonly suggestion?: Suggestion
}

/** A likely correction, which an editor can apply to the key or value at the diagnostic's path. */
export interface Suggestion {
  readonly replace: 'key' | 'value'
  /** The part of the key or value to replace. By default, the whole key or value is replaced. */
  readonly part?: string
  readonly with: string
}

export type Positioned = Partial<Position> & { readonly path?: string; readonly code?: string }

const LAST = Number.MAX_SAFE_INTEGER
const INDEX = /^(?:0|[1-9][0-9]{0,14})$/

/** Sorts by position, then by path, then by code. Items without a position come last. */
export function sortByPosition<T extends Positioned>(items: readonly T[]): T[] {
  return [...items].sort(
    (a, b) =>
      (a.line ?? LAST) - (b.line ?? LAST) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      comparePaths(a.path ?? '', b.path ?? '') ||
      compareText(a.code ?? '', b.code ?? ''),
  )
}

function comparePaths(a: string, b: string): number {
  const left = a.split(/[.[\]]+/)
  const right = b.split(/[.[\]]+/)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const x = left[index] ?? ''
    const y = right[index] ?? ''
    if (x !== y) return compareSteps(x, y)
  }
  return left.length - right.length
}

/** Compares indices by number and keys by text; indices come first. A mixed comparison would not be transitive. */
function compareSteps(a: string, b: string): number {
  const left = INDEX.test(a)
  const right = INDEX.test(b)
  if (left && right) return Number(a) - Number(b)
  return left === right ? compareText(a, b) : left ? -1 : 1
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
