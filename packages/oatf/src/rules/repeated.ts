import { ownText, type Path } from '@joust/source'
import type { Site } from '../walk/walk.ts'

interface Repeated {
  readonly path: Path
  readonly text: string
}

/** Returns the texts at a key that also occur at an earlier site. */
export function repeated(sites: readonly Site[], key: string): Repeated[] {
  const earlier = new Set<string>()
  return named(sites, key).filter(({ text }) => {
    const isRepeated = earlier.has(text)
    earlier.add(text)
    return isRepeated
  })
}

/** Returns the texts at a key that normalization also generates for a site that lacks the key. */
export function generatedToo(sites: readonly Site[], key: string, generate: (index: number) => string): Repeated[] {
  const unnamed = sites.filter(({ value }) => !Object.hasOwn(value, key))
  const generated = new Set(unnamed.map(({ path }) => generate(Number(path.at(-1)))))
  return named(sites, key).filter(({ text }) => generated.has(text))
}

function named(sites: readonly Site[], key: string): Repeated[] {
  return sites.flatMap(({ value, path }) => {
    const text = ownText(value, key)
    return text === undefined ? [] : [{ path: [...path, key], text }]
  })
}
