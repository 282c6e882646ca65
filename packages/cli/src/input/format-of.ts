/** Detects the format of a document by its top-level keys. */
import { kindOfKeys } from '@joust/language/kind'
import { isRecord, readSource } from '@joust/source'

export type Format = 'oatf' | 'agent-format' | 'unknown'

/** Matches text that begins with the key `oatf`, after at most a thousand lines of comments. */
const OATF_FIRST = /^\ufeff?(?:[ \t]*(?:#.*)?\r?\n){0,1000}oatf:[ \t\r\n]/

/** Detects the format of a text, line by line if it has syntax errors. */
export function formatOf(text: string): Format {
  // The fast path: large texts are not parsed just to determine their format.
  if (OATF_FIRST.test(text)) return 'oatf'
  const kind = kindOfKeys(topLevelKeys(text))
  return kind === 'agent' ? 'agent-format' : (kind ?? 'unknown')
}

export function topLevelKeys(text: string): readonly string[] {
  const source = readSource(text)
  if (source.ok) return isRecord(source.value.value) ? Object.keys(source.value.value) : []
  return keysByLine(text)
}

/** Finds keys line by line: without indentation or, for JSON, at the first level of the usual indentation. */
function keysByLine(text: string): string[] {
  const json = /^\s*\{/.test(text)
  const line = json ? /^[ \t]{0,4}\{?[ \t]*"([a-z_]+)"[ \t]*:/gm : /^["']?([a-z_]+)["']?[ \t]*:/gm
  return Array.from(text.matchAll(line), (match) => match[1] ?? '')
}
