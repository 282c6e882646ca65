/** Corrects misspelled words: words that differ by one letter from a known word and are not known words themselves. */
import { suggest } from '@joust/source'
import { isStop, isVerb, takesVerb, wordSet } from './lexicon.ts'
import { baseForm } from './word-forms.ts'

/** Correct words that differ from a verb by one letter. */
const OTHERS = wordSet(`
  advice alt attack bad bag bait bank bar batch bear beat began best big bind blog boot box bug built bus busy came
  cap card care case cast catch cell chance chat clean clerk clock code core cost crate cut cute dark dead dear deep
  delay dish drift duty east eat env exact exit fact fail fair fall fare fast fee feed feel fell fill fine fire five
  flat food foot form fort four gas gate gave good got great green guest guide hall hang hard head hear held here hook
  host jump kind lack land last late lead led left let lift lint live locale logic long loop lose lost lot loud low
  main match meat met mind mock mode moon more need nest node null odd older one out own pack page part past path
  patch peer pen pin pipe place plan play point poll pool poor port power preset preview prop pure ran rare rate rather
  reader real rear red rely remote rest rice rich road role room rule safe said sale sand saw score sea seal seat seed
  sense sent shape shell shop shot show side site size skill slow smart soon sort span stage stale star stat step story
  tab tale talk tank tap tape task team tend text than thank thing time top trace trade two typo unable wait walk wall
  want warm watch way weak well west white wide wife win wine wise wood word wrote yet
`)

/** Returns the most similar word in a list. Returns undefined for a correct word. */
export function respelled(word: string, words: readonly string[]): string | undefined {
  return isStop(word) || takesVerb(word) ? undefined : nearest(word, words)
}

/** Corrects a word in a position that requires a verb: `all` becomes `call`. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  if (!/^[a-z]{2,30}$/.test(word) || isVerb(word) || OTHERS.has(word) || baseForm(word) !== undefined) return undefined
  const near = words.filter((one) => Math.abs(one.length - word.length) <= 1)
  const correction = near.length === 0 ? undefined : suggest(word, near, 1)
  return correction === undefined || isFormOf(word, correction) ? undefined : correction
}

/** True for forms such as `reads`, `saved` and `user`, in which an added letter does not double the last one. */
function isFormOf(word: string, verb: string): boolean {
  return word.length > verb.length && word.startsWith(verb) && word.at(-1) !== verb.at(-1)
}
