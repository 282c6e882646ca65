import type { Path } from '@joust/source'
import type { Edit } from './edits.ts'
import type { Places } from './places.ts'

/** An occurrence of a dialect in a document, with the edits that translate it. */
export interface Occurrence {
  readonly at: Path
  /** True if the key is in the dialect; otherwise the value is. */
  readonly key?: true
  readonly message: string
  readonly edits: readonly Edit[]
  /** Overrides the kind of the row. */
  readonly does?: TranslationKind
  /** The effect on real peers if a written value is not replaced; undefined if there is none. */
  readonly unchanged?: string | undefined
  /** Edits that only add missing values, for a document whose written values are not replaced. */
  readonly filled?: { readonly message: string; readonly edits: readonly Edit[] } | undefined
}

/** A dialect of OATF documents and its translation. */
export interface Translation {
  /** A description of the translation in one sentence. */
  readonly summary: string
  /** Finds every occurrence, in document order. Pure. Never throws, even on an invalid document. */
  readonly find: (places: Places) => readonly Occurrence[]
  readonly bad: string
}

/**
 * `reads`: interprets a term that the binding does not define. `fills`: adds a missing value that peers require.
 * `replaces`: changes a written value, but only in a document that also needs a reading. `fills` and `replaces` change
 * sent messages, so `x-joust-verbatim` prevents them.
 */
export type TranslationKind = 'reads' | 'fills' | 'replaces'

export interface TranslationRow extends Translation {
  readonly code: string
  /** The OATF clause that defines the standard form. */
  readonly section: string
  readonly does: TranslationKind
}
