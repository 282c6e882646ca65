import type { Path } from '@joust/source'
import { type Site, textOf } from './walk.ts'

/** A text that an earlier site has already, and where it stands. */
export interface Repeated {
  readonly path: Path
  readonly text: string
}

/** Every text under a key that an earlier site has under the same key. */
export function repeated(sites: readonly Site[], key: string): Repeated[] {
  const seen = new Set<string>()
  const found: Repeated[] = []
  for (const site of sites) {
    const text = textOf(site.value, key)
    if (text === undefined) continue
    if (seen.has(text)) found.push({ path: [...site.path, key], text })
    seen.add(text)
  }
  return found
}
