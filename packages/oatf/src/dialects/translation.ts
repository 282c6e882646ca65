import type { Path } from '@joust/source'
import type { Edit } from './edits.ts'
import type { Places } from './places.ts'

/** A place where a document speaks a dialect, and what makes it say the same in the words of the specification. */
export interface Found {
  readonly at: Path
  /** What is written there, and how it is read. */
  readonly message: string
  readonly edits: readonly Edit[]
}

/** Finds every place of one kind, in the order of the document. Pure, never throws, whatever the document is made of. */
export type Translation = (places: Places) => readonly Found[]

/** What is known about a translation: one row of the table. */
export interface TranslationRow {
  readonly code: string
  /** The clause of the specification that says what is written instead. */
  readonly section: string
  /** `wire`: it changes what a peer is sent, which `x-joust-verbatim` forbids. `document`: it says the same in other words. */
  readonly repairs: 'document' | 'wire'
  /** One sentence: what is read as what. */
  readonly summary: string
  readonly find: Translation
}
