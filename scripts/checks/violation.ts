export interface Violation {
  /** Path relative to the repository root, with forward slashes. */
  readonly file: string
  readonly line: number
  readonly message: string
  /** Suggested fix. */
  readonly mend: string
}

/** Prints violations, sorted by position, and returns the exit code. */
export function report(title: string, violations: readonly Violation[]): number {
  const sorted = [...violations].sort((a, b) => compare(a.file, b.file) || a.line - b.line)
  for (const { file, line, message, mend } of sorted) {
    console.error(`${file}:${line}  ${message}\n    fix: ${mend}`)
  }
  if (sorted.length > 0) console.error(`${title}: ${sorted.length} ${sorted.length === 1 ? 'violation' : 'violations'}`)
  return sorted.length === 0 ? 0 : 1
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
