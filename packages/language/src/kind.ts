/** Tells kinds of files apart: by the keys at the top, and where these say nothing, by the name. */
import { isRecord, type Value } from '@joust/source'
import type { DocumentKind } from './model.ts'
import type { Reading } from './text/reading.ts'

const AGENT_KEYS = ['metadata', 'interface', 'execution_policy', 'action_space']
const PROJECT_KEYS = ['targets', 'attacks']

/** What a text is. */
export function kindOf({ value }: Pick<Reading, 'value'>, name: string): DocumentKind {
  return kindOfKeys(value, name) ?? kindOfName(name)
}

function kindOfKeys(value: Value, name: string): DocumentKind | undefined {
  const keys = isRecord(value) ? Object.keys(value) : []
  if (keys.includes('oatf')) return 'oatf'
  const agentKeys = AGENT_KEYS.filter((key) => keys.includes(key))
  if (agentKeys.length >= 2 || (keys.includes('schema_version') && agentKeys.length >= 1)) return 'agent'
  if (keys.includes('attack')) return 'oatf'
  return isProjectName(name) && PROJECT_KEYS.some((key) => keys.includes(key)) ? 'project' : undefined
}

function kindOfName(name: string): DocumentKind {
  if (/\.oatf\.(?:ya?ml|json)$/.test(name)) return 'oatf'
  if (/\.agf\.(?:ya?ml|json)$/.test(name)) return 'agent'
  return isProjectName(name) ? 'project' : 'unknown'
}

function isProjectName(name: string): boolean {
  return /(?:^|\/)joust\.(?:ya?ml|json)$/.test(name)
}
