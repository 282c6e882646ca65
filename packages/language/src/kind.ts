import { isRecord } from '@joust/source'
import type { DocumentKind } from './model.ts'
import type { Reading } from './text/reading.ts'

const AGENT_KEYS = ['metadata', 'interface', 'execution_policy', 'action_space']

/** Determines the kind of a file from its top-level keys; undefined if they do not identify the kind. */
export function kindOfKeys(keys: readonly string[]): 'oatf' | 'agent' | undefined {
  if (keys.includes('oatf')) return 'oatf'
  const agentKeys = AGENT_KEYS.filter((key) => keys.includes(key))
  if (agentKeys.length >= 2 || (keys.includes('schema_version') && agentKeys.length >= 1)) return 'agent'
  return keys.includes('attack') ? 'oatf' : undefined
}

export function kindOf({ value }: Pick<Reading, 'value'>, name: string): DocumentKind {
  return kindOfKeys(isRecord(value) ? Object.keys(value) : []) ?? kindOfName(name)
}

function kindOfName(name: string): DocumentKind {
  if (/\.oatf\.(?:ya?ml|json)$/i.test(name)) return 'oatf'
  if (/\.agf\.(?:ya?ml|json)$/i.test(name)) return 'agent'
  return /(?:^|\/)joust\.ya?ml$/.test(name) ? 'project' : 'unknown'
}
