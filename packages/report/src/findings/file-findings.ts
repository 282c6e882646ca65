import type { Diagnostic } from '@joust/source'

/** What was found in one file. */
export interface FileFindings {
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
  /** Why the file was not checked. */
  readonly note?: string
}
