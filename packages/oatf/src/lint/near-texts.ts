import type { Suggest } from '@joust/source'

/** The texts to search, in lower case because many patterns ignore case. */
export class NearTexts {
  readonly #texts: readonly string[]
  readonly #hint: Suggest

  constructor(texts: readonly string[], hint: Suggest) {
    this.#texts = [...new Set(texts.map((text) => text.toLowerCase()))]
    this.#hint = hint
  }

  has(literal: string): boolean {
    const needle = literal.toLowerCase()
    return this.#texts.some((text) => text.includes(needle))
  }

  /** Finds a passage one typo away from the literal, delimited by word boundaries. */
  nearest(literal: string, isMeant: (passage: string) => boolean = () => true): string | undefined {
    const needle = literal.toLowerCase()
    for (const text of this.#texts) {
      const passage = this.#hint(needle, passagesNear(needle, text).filter(isMeant), 1)
      if (passage !== undefined && fold(passage) !== fold(needle)) return passage
    }
    return undefined
  }
}

/** Maximum number of occurrences of a segment that are examined in each text. */
const MOST = 20

/**
 * Finds passages that contain a third of the literal. A wrong letter or two swapped letters leave at least one third
 * intact.
 */
function passagesNear(literal: string, text: string): readonly string[] {
  const passages: string[] = []
  const third = Math.ceil(literal.length / 3)
  for (let from = 0; from < literal.length; from += third) {
    const part = literal.slice(from, from + third)
    let at = text.indexOf(part)
    for (let count = 0; at >= 0 && count < MOST; count++) {
      for (const shift of [0, -1, 1]) {
        for (const more of [0, -1, 1]) {
          const start = at - from + shift
          const end = start + literal.length + more
          if (start >= 0 && end <= text.length && isBetweenWords(text, start, end))
            passages.push(text.slice(start, end))
        }
      }
      at = text.indexOf(part, at + 1)
    }
  }
  return passages
}

function isBetweenWords(text: string, start: number, end: number): boolean {
  return (
    !isLetter(text.charAt(start - 1)) &&
    !isLetter(text.charAt(end)) &&
    text.slice(start, end).trim().length === end - start
  )
}

function isLetter(character: string): boolean {
  return /^[\p{L}\p{N}_-]$/u.test(character)
}

function fold(text: string): string {
  return text.replaceAll(/[-_ ]/g, '')
}
