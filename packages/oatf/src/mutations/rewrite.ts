/** The three ways in which a mutation changes the words of a bait. */
import { stretchesOf } from './keep.ts'
import type { MutationDraft } from './mutation.ts'
import { say } from './places.ts'

/** Says every text in another way. */
export function rewriteTexts(draft: MutationDraft, rewrite: (text: string) => string): undefined {
  for (const bait of draft.texts) say(draft.root, bait, rewrite(bait.text.trim()))
}

const TEMPLATE = 'the bait has a template, which is filled in after the text is encoded'

/** Encodes every text as a whole; `lead` says how it is to be read. */
export function encodeTexts(draft: MutationDraft, lead: string, encode: (text: string) => string): string | undefined {
  if (draft.texts.some(({ text }) => text.includes('{{'))) return TEMPLATE
  return rewriteTexts(draft, (text) => `${lead}${encode(text)}`)
}

const NOTHING_LOOSE = 'every word of the bait is one that an indicator or a tool is known by'

/** Changes the letters of every text but those of words that have to stay as they are. */
export function changeLetters(draft: MutationDraft, change: (stretch: string) => string): string | undefined {
  let changed = false
  for (const bait of draft.texts) {
    const stretches = stretchesOf(bait.text, draft.words)
    const made = stretches.map((stretch) => (stretch.kept ? stretch.text : change(stretch.text))).join('')
    changed ||= made !== bait.text
    say(draft.root, bait, made)
  }
  return changed ? undefined : NOTHING_LOOSE
}
