/** Finds the texts in a planted value that contain the attack. */
import { isList, isRecord, type Path, type Value } from '@joust/source'
import { readsAsInstruction } from './instructions.ts'
import { isExtensionKey, structural } from './marks.ts'

/** A text, and its path in a planted value. */
export interface Carrier {
  readonly at: Path
  readonly text: string
}

/**
 * Returns the texts that the model must read for the value to have an effect: those that read like an instruction, or
 * else the longest text. Agents drop names, titles and annotations, and reorder the other texts.
 */
export function carriersIn(value: Value): readonly Carrier[] {
  const texts = textsIn(value).filter(({ text }) => text.trim() !== '')
  const instructions = texts.filter(({ text }) => text.includes(' ') && readsAsInstruction(text))
  if (instructions.length > 0) return instructions
  const longest = texts.reduce<Carrier | undefined>(
    (most, one) => (most === undefined || one.text.length > most.text.length ? one : most),
    undefined,
  )
  return longest === undefined ? [] : [longest]
}

/** Returns all texts in a value. Iterative, because a message may be deep. */
function textsIn(value: Value): Carrier[] {
  const texts: Carrier[] = []
  const pending: { readonly at: Path; readonly value: Value }[] = [{ at: [], value }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { at, value: here } = next
    if (typeof here === 'string') texts.push({ at, text: here })
    else if (isList(here)) for (const [index, item] of here.entries()) pending.push({ at: [...at, index], value: item })
    else if (isRecord(here)) {
      for (const [key, item] of Object.entries(here)) {
        if (!isExtensionKey(key) && !(structural.has(key) && typeof item === 'string'))
          pending.push({ at: [...at, key], value: item })
      }
    }
  }
  return texts
}
