import type { Path } from '@joust/source'
import { type Site, textOf } from './walk.ts'

/** The `name` of every site that an earlier one has already. */
export function repeatedNames(sites: readonly Site[]): { readonly path: Path; readonly name: string }[] {
  const seen = new Set<string>()
  return sites.flatMap((site) => {
    const name = textOf(site.value, 'name')
    if (name === undefined || !seen.has(name)) {
      if (name !== undefined) seen.add(name)
      return []
    }
    return [{ path: [...site.path, 'name'], name }]
  })
}
