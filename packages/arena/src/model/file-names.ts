/** Files named after attacks and targets. */
import { fingerprint } from '@joust/source'

/**
 * Names that any file system allows, the same whatever the order of the texts. Texts that would share a name, even if
 * only where case is ignored, and texts that are not in the list get a fingerprint.
 */
export function createFileNames(texts: readonly string[]): (text: string) => string {
  const counts = new Map<string, number>()
  for (const text of new Set(texts)) counts.set(keyOf(text), (counts.get(keyOf(text)) ?? 0) + 1)
  const known = new Set(texts)
  return (text) => (known.has(text) && counts.get(keyOf(text)) === 1 ? stemOf(text) : markedName(text))
}

/** A name that no other text has. */
export function markedName(text: string): string {
  return `${stemOf(text)}-${fingerprint(text).slice(0, 8)}`
}

function keyOf(text: string): string {
  return stemOf(text).toLowerCase()
}

function stemOf(text: string): string {
  const plain = text
    .replace(/\.(?:oatf\.)?(?:yaml|yml|json)$/i, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(-80)
    .replaceAll(/^-|-$/g, '')
  return plain || 'unnamed'
}
