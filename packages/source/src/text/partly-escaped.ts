/**
 * Finds texts that contain escapes themselves in text with further escapes: decoding everything would decode theirs
 * too.
 */
import { escapeReader } from './escapes.ts'

/** An occurrence of a wanted text; `known` is the number of its characters before the end of the searched text. */
interface PartlyEscaped {
  readonly start: number
  readonly end: number
  readonly known: number
}

/** True for a text with a character that can start an escape. */
export function mayHoldEscapes(text: string): boolean {
  return /[%\\&]/.test(text)
}

/**
 * The occurrences of a wanted text, each character plain or escaped once, and its incomplete occurrences at the end.
 */
export function* findPartlyEscaped(wanted: string, text: string): Generator<PartlyEscaped> {
  const escapeAt = escapeReader(text)
  // By place and number of known characters, where that began: a backslash is itself or begins an escape, so that
  // several spellings end at the same place. The longest match counts.
  const pending = new Map<number, Map<number, number>>()
  const reach = (at: number, known: number, start: number) => {
    const there = pending.get(at) ?? new Map<number, number>()
    pending.set(at, there)
    there.set(known, Math.min(start, there.get(known) ?? start))
  }
  for (let at = 0; at <= text.length; at++) {
    const escaped = escapeAt(at)
    const there = pending.get(at)
    if (there === undefined && escaped === undefined && text[at] !== wanted[0]) continue
    pending.delete(at)
    for (const [known, start] of [...(there ?? []), [0, at] as const]) {
      const isWhole = known === wanted.length
      if (isWhole || (at === text.length && known > 0)) yield { start, end: at, known }
      if (isWhole) continue
      if (at < text.length && text[at] === wanted[known]) reach(at + 1, known + 1, start)
      if (escaped !== undefined && wanted.startsWith(escaped.character, known))
        reach(escaped.end, known + escaped.character.length, start)
    }
  }
}
