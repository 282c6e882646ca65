import { ownText, type Path } from '@joust/source'
import type { Site } from './walk.ts'

/** A name that two sites have, and where the explicit one is. */
interface Repeated {
  readonly path: Path
  readonly text: string
  /** Whether the other site gets its name from its position. */
  readonly generated: boolean
}

/**
 * Every text under a key that an earlier site also has there, or that a site without the key gets from its position:
 * results under one name would then overwrite those under the other.
 */
export function repeated(sites: readonly Site[], key: string, generate?: (index: number) => string): Repeated[] {
  const given = new Set(
    sites.flatMap(({ value, path }) =>
      generate === undefined || Object.hasOwn(value, key) ? [] : [generate(Number(path.at(-1)))],
    ),
  )
  const seen = new Set<string>()
  const found: Repeated[] = []
  for (const site of sites) {
    const text = ownText(site.value, key)
    if (text === undefined) continue
    const generated = given.has(text)
    if (generated || seen.has(text)) found.push({ path: [...site.path, key], text, generated })
    seen.add(text)
  }
  return found
}
