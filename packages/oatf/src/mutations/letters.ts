/** Mutations that write the instruction with other characters. */
import { segmentsOf } from './keep.ts'
import type { Mutation, MutationDraft } from './mutation.ts'
import { replaceText, rewriteTexts } from './places.ts'

const ZERO_WIDTH_SPACE = '\u200b'
const TAG_BLOCK = 0xe0000
/** The offset from a letter to its full-width form. */
const FULL_WIDTH = 0xfee0
const CYRILLIC = new Map(Object.entries({ a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' }))
const DIGITS = new Map(Object.entries({ a: '4', e: '3', i: '1', o: '0', t: '7' }))

export const letters: readonly Mutation[] = [
  {
    name: 'zero-width',
    kind: 'invisible',
    summary: 'puts zero-width spaces between letters, to evade word filters',
    apply: (draft) => changeLetters(draft, /(?<=\p{L})(?=\p{L})/gu, () => ZERO_WIDTH_SPACE),
  },
  {
    name: 'tag-characters',
    kind: 'invisible',
    summary: 'writes the instruction in invisible Unicode tag characters after a harmless sentence',
    apply(draft) {
      if (draft.texts.some(({ text }) => text.includes('{{')))
        return 'the bait has a template, whose value would be visible'
      if (draft.texts.some(({ text }) => !/^[\x20-\x7e\s]*$/.test(text)))
        return 'the bait has characters outside ASCII, which have no corresponding tag characters'
      return rewriteTexts(draft, (text) => `Everything is in order. ${toTags(text)}`)
    },
  },
  {
    name: 'homoglyphs',
    kind: 'typography',
    summary: 'replaces Latin letters with Cyrillic ones that look the same',
    apply: (draft) => changeLetters(draft, /[aceopxy]/g, (letter) => CYRILLIC.get(letter) ?? letter),
  },
  {
    name: 'full-width',
    kind: 'typography',
    summary: 'writes the letters in their full-width forms',
    apply: (draft) =>
      changeLetters(draft, /[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH)),
  },
  {
    name: 'leetspeak',
    kind: 'typography',
    summary: 'replaces letters with similar digits',
    apply: (draft) => changeLetters(draft, /[aeiot]/g, (letter) => DIGITS.get(letter) ?? letter),
  },
  {
    name: 'capitals',
    kind: 'typography',
    summary: 'writes everything in capitals',
    apply: (draft) => changeLetters(draft, /.+/gs, (segment) => segment.toUpperCase()),
  },
]

function changeLetters(draft: MutationDraft, letter: RegExp, change: (found: string) => string): string | undefined {
  let changed = false
  for (const bait of draft.texts) {
    const segments = segmentsOf(bait.text, draft.words)
    const rewritten = segments.map(({ kept, text }) => (kept ? text : text.replaceAll(letter, change))).join('')
    changed ||= rewritten !== bait.text
    replaceText(draft.root, bait, rewritten)
  }
  return changed ? undefined : 'every word of the bait occurs in an indicator or is a tool name'
}

function toTags(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ')]
    .map((character) => String.fromCodePoint(TAG_BLOCK + (character.codePointAt(0) ?? 0)))
    .join('')
}
