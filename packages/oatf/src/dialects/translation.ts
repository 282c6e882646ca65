import type { Path } from '@joust/source'
import type { Edit } from './edits.ts'
import type { Places } from './places.ts'

/** A place where a document uses a dialect, and the edits that say the same as the specification would. */
export interface Found {
  readonly at: Path
  /** Whether the key there is the dialect, rather than its value. */
  readonly key?: true
  /** The written form, and how it is read. */
  readonly message: string
  readonly edits: readonly Edit[]
  /** The kind of this translation, where it is not that of its row. */
  readonly does?: TranslationKind
  /** The consequence for real peers when a written value is not replaced; undefined when there is none. */
  readonly left?: string | undefined
  /** The edits that only add absent values, for a document whose written values are not replaced. */
  readonly filled?: { readonly message: string; readonly edits: readonly Edit[] } | undefined
}

/** A way of writing documents that is not the specification's, and how it is read. */
export interface Translation {
  /** One sentence: what is read as what. */
  readonly summary: string
  /** Finds every place of one kind, in the order of the document. Pure, never throws, whatever is in the document. */
  readonly find: (places: Places) => readonly Found[]
  /** A document in the dialect. */
  readonly bad: string
}

/**
 * `reads`: a word that no message or state of the binding has. `fills`: adds an absent value that peers demand.
 * `replaces`: changes a written value, and applies only to a document that also needs a reading. The last two change
 * sent messages, so `x-joust-verbatim` prevents them.
 */
export type TranslationKind = 'reads' | 'fills' | 'replaces'

/** One row of the table. */
export interface TranslationRow extends Translation {
  readonly code: string
  /** The clause of the specification that says what is written instead. */
  readonly section: string
  readonly does: TranslationKind
}
