import { fingerprint } from '@joust/source'

/**
 * Creates portable file names that do not depend on the order of `texts`. Adds a fingerprint for unlisted texts and for
 * texts whose names would be identical on a case-insensitive file system.
 */
export function createFileNames(texts: readonly string[]): (text: string) => string {
  const counts = new Map<string, number>()
  for (const text of new Set(texts)) counts.set(keyOf(text), (counts.get(keyOf(text)) ?? 0) + 1)
  const listed = new Set(texts)
  return (text) => (listed.has(text) && counts.get(keyOf(text)) === 1 ? stemOf(text) : markedName(text))
}

/** Creates a file name that contains a fingerprint of the text, so that it is unique. */
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
