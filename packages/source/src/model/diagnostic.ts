/** How bad a finding is. */
export type DiagnosticSeverity = 'error' | 'warning'

/** Where a finding is in a text; both count from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A finding (OATF SDK §7.0): plain data, so that it can be written as JSON and sent to another thread. */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly line?: number
  readonly column?: number
  /** The column after the last character, when the finding stays on its line. */
  readonly end_column?: number
  /** The clause behind the code, for example `§11.1.5`. */
  readonly spec_ref?: string
  readonly suggestion?: Suggestion
}

/** What was probably meant: an editor can put it in the place of the key or the value that the finding is about. */
export interface Suggestion {
  readonly replace: 'key' | 'value'
  /** The part of the key or value that it replaces, when that is not all of it. */
  readonly part?: string
  readonly with: string
}

/** Whatever has a position can be put in reading order. */
export type Positioned = Partial<Position> & { readonly path?: string; readonly code?: string }

const LAST = Number.MAX_SAFE_INTEGER
const INDEX = /^(?:0|[1-9][0-9]{0,14})$/

/** Sorts findings by position, then by path, then by code. Findings without a position come last. */
export function sortByPosition<T extends Positioned>(findings: readonly T[]): T[] {
  return [...findings].sort(
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

/** Indices by number and before keys, keys by text: mixing the two orders would not be an order. */
function compareSteps(a: string, b: string): number {
  const left = INDEX.test(a)
  const right = INDEX.test(b)
  if (left && right) return Number(a) - Number(b)
  return left === right ? compareText(a, b) : left ? -1 : 1
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
