/** OPEN-1: which versions of the format are read. */
import { isRecord, own, type Source } from '@joust/source'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { placeIn } from '../model/origin.ts'
import { quote } from '../model/quote.ts'

/** The newest minor version of format 1 that is known here. */
const NEWEST_MINOR = 0

/** An error for another major version, a warning for a minor version that is newer than ours; a text that is not a version is left to the schema. */
export function checkVersion(source: Source, file: string | undefined): AgentDiagnostic | undefined {
  const version = isRecord(source.value) ? own(source.value, 'schema_version') : undefined
  if (typeof version !== 'string') return undefined
  const [, major, minor] = /^([0-9]+)\.([0-9]+)\.[0-9]+$/.exec(version) ?? []
  if (major === undefined || minor === undefined) return undefined
  const found = {
    code: 'unsupported_schema_version',
    rule: 'OPEN-1',
    ...placeIn(source, file, ['schema_version']),
  } as const
  if (Number(major) !== 1) {
    return {
      severity: 'error',
      message: `version ${quote(version)} of the format is not supported, 1.x.y is`,
      ...found,
    }
  }
  if (Number(minor) <= NEWEST_MINOR) return undefined
  const message = `version ${quote(version)} is newer than 1.${NEWEST_MINOR}: what it adds is not known here and has no effect`
  return { severity: 'warning', message, ...found }
}
