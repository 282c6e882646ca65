const LONGEST = 64

/** Finds a known name with the same words in any order: `tools/call` for `call_tool`. */
export function sameWords(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined
  const words = wordsOf(word)
  return known.find((candidate) => wordsOf(candidate) === words)
}

function wordsOf(name: string): string {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  const words = spaced.split(/[^a-z0-9]+/).filter((word) => word !== '')
  return words
    .map((word) => word.replace(/s$/, ''))
    .sort()
    .join(' ')
}
