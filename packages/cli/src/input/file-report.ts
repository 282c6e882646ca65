import type { AgentDiagnostic } from '@joust/agentformat'
import type { LoadedAttack } from '@joust/oatf'
import type { Diagnostic } from '@joust/source'
import type { Format } from './format-of.ts'

/** A finding. Findings in agent files have additional fields. */
export type Finding = Diagnostic & Partial<Pick<AgentDiagnostic, 'rule' | 'level' | 'reason'>>

/** True for a finding that makes a document unusable. */
export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

export interface FileReport {
  readonly name: string
  readonly path: string
  readonly format: Format
  readonly text?: string
  /** The loaded attack; absent if the document is not a valid attack. */
  readonly attack?: LoadedAttack
  readonly diagnostics: readonly Finding[]
  /** The reason the file was not checked; only for files that the user did not name. */
  readonly note?: string
}
