/** The placebo of an attack: the same document with a harmless value in place of the bait. */
import { cloneValue, deepEqual, err, own, type Result, type Value, valueAt } from '@joust/source'
import { BAIT } from './exposure/bait.ts'
import { keepCanaries, timesExecuted } from './exposure/canaries.ts'
import { readsAsInstruction } from './exposure/instructions.ts'
import { literalsIn, PLACEBO, placeboFaults, withReplacements } from './exposure/placebo.ts'
import type { LoadedAttack, LoadOptions } from './loaded-attack.ts'
import { allBaitTexts, isProse } from './mutations/bait-texts.ts'
import { containsWord, keptWords } from './mutations/keep.ts'
import type { BaitText } from './mutations/mutation.ts'
import { replaceText } from './mutations/places.ts'
import { sentencesOf } from './mutations/sentences.ts'
import { reload } from './reload.ts'
import { put } from './walk/put.ts'

/** True if the document has no `x-joust-placebo`, so its placebo is derived from the bait. */
export function isPlaceboDerived({ walk }: LoadedAttack): boolean {
  return own(walk.attack, PLACEBO) === undefined
}

/**
 * Replaces the bait of an attack with its placebo. The replaced texts remain the bait of the result. If
 * `x-joust-placebo` is missing, instructions and indicator literals are removed from the bait. Fails if the declared
 * placebo is invalid or the bait is not prose. `options` must be those used to load the attack.
 *
 * @example
 * const placebo = unwrap(placeboOf(attack))
 */
export function placeboOf(attack: LoadedAttack, options: LoadOptions = {}): Result<LoadedAttack, string> {
  if (isPlaceboDerived(attack)) return derived(attack, options)
  const [fault] = placeboFaults(attack.walk)
  if (fault !== undefined) return err(fault.message)
  return reload(attack, withReplacements, options)
}

/** The text that replaces a text consisting only of instructions. */
const FILLER = 'There are no further details.'
/** Formatting and private-use characters, which can hide an instruction. */
const HIDDEN = /[\p{Cf}\p{Co}]/u

function derived(attack: LoadedAttack, options: LoadOptions): Result<LoadedAttack, string> {
  const { written, plants, walk } = attack
  const words = keptWords(walk, plants.planted)
  const texts = allBaitTexts(plants, words).filter(isProse)
  if (texts.length === 0) return err('no placebo can be derived: the bait has no sentences; declare x-joust-placebo')
  // A document parsed from text contains only plain values.
  const before = written as unknown as Value
  const root = cloneValue(before)
  const isMarked = (sentence: string) =>
    containsWord(sentence, words) || readsAsInstruction(sentence) || HIDDEN.test(sentence)
  const hasInstruction = texts.some(({ text }) => sentencesOf(text).some(isMarked))
  for (const bait of texts) replaceText(root, bait, harmless(bait, hasInstruction ? isMarked : () => true))
  put(
    root,
    ['attack', BAIT],
    plants.baits.map(({ path }) => path),
  )
  const rest = plants.baits
    .flatMap(({ items }) => items)
    .flatMap(({ at }) => literalsIn({ at, value: valueAt(root, at) ?? null }, walk))
  if (deepEqual(root, before)) return err('no placebo can be derived: the bait is harmless; declare x-joust-placebo')
  if (rest[0] !== undefined)
    return err(
      `no placebo can be derived: outside its sentences, the bait contains ${JSON.stringify(rest[0])}, which an indicator matches; declare x-joust-placebo`,
    )
  return reload(attack, () => keepCanaries(root, (token) => timesExecuted(root, token) > 0), options)
}

function harmless({ text }: BaitText, isMarked: (sentence: string) => boolean): string {
  const rest = sentencesOf(text).filter((sentence) => !isMarked(sentence))
  return rest.length === 0 ? FILLER : rest.join(' ')
}
