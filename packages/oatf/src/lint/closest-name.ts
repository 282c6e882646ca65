/** Corrections for names that a binding does not define, if there is only one plausible spelling. */
import type { Suggest } from '@joust/source'
import { sameWords } from '../bindings/same-words.ts'
import { currentSurfaces, oldSurfaceNames } from '../dialects/old-surface-names.ts'
import type { KeyedPart } from '../traffic/written.ts'

/** Maximum number of edits. A name that differs more may be from a newer protocol version. */
const MOST_EDITS = 2

/** Returns a known name that has the same words or differs only in a few letters. */
export function closestName(word: string, known: readonly string[], hint: Suggest): string | undefined {
  return sameWords(word, known) ?? hint(word, known, MOST_EDITS)
}

export function closestCurrentName(
  word: string,
  protocol: string,
  known: readonly string[],
  hint: Suggest,
): string | undefined {
  const old = closestName(word, oldSurfaceNames(protocol), hint)
  return old === undefined ? undefined : currentSurfaces(protocol, old)?.find((name) => known.includes(name))
}

/** Returns unknown keys that resemble a missing key. If both keys are present, neither is a typo. */
export function misspelledKeys(
  { keys, value }: Pick<KeyedPart, 'keys' | 'value'>,
  hint: Suggest,
): readonly { key: string; correction: string }[] {
  const missing = keys.filter((key) => !Object.hasOwn(value, key))
  return Object.keys(value).flatMap((key) => {
    if (key.startsWith('x-') || keys.includes(key)) return []
    const correction = closestName(key, missing, hint)
    return correction === undefined ? [] : [{ key, correction }]
  })
}
