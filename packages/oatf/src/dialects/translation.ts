import type { Path } from '@joust/source'
import type { Edit } from './edits.ts'
import type { Places } from './places.ts'

/** A place where a document uses a dialect, and the edits that say the same as the specification would. */
export interface Found {
  readonly at: Path
  /** Whether the key there is the dialect, rather than its value. */
  readonly key?: true
  /** What is written there, and how it is read. */
  readonly message: string
  readonly edits: readonly Edit[]
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

/** One row of the table. */
export interface TranslationRow extends Translation {
  readonly code: string
  /** The clause of the specification that says what is written instead. */
  readonly section: string
  /** `wire` changes what a peer is sent, which `x-joust-verbatim` forbids. `document` says the same in other words. */
  readonly repairs: 'document' | 'wire'
}
