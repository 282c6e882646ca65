import type { LoadedAttack } from '@joust/oatf'
import type { Diagnostic } from '@joust/source'
import type { Format } from './format-of.ts'

/** A finding; those about agents also have a rule and a level. */
export type Finding = Diagnostic & { readonly rule?: string; readonly level?: 'high' | 'info' }

/** Whether a document with this finding cannot be used. */
export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** What is known about a file. */
export interface FileReport {
  readonly name: string
  readonly path: string
  readonly format: Format
  readonly text?: string
  /** The attack, when it is a valid document of OATF. */
  readonly attack?: LoadedAttack
  readonly diagnostics: readonly Finding[]
  /** Why the file was not checked; only for files that nobody named. */
  readonly note?: string
}
