/** The types of mutations. */
import type { Path, Value } from '@joust/source'

/** The aspect of the bait that a mutation changes. */
export type MutationKind =
  | 'encoding'
  | 'invisible'
  | 'typography'
  | 'language'
  | 'framing'
  | 'tone'
  | 'position'
  | 'length'
  | 'splitting'
  | 'surface'

/** A text of the bait, and its path. */
export interface BaitText {
  readonly at: Path
  readonly text: string
  /** The user's text around the bait, if a message quotes the bait. */
  readonly before: string
  readonly after: string
}

/** A private copy of a document, changed in place. */
export interface MutationDraft {
  readonly root: Value
  /** The texts of the bait with the instruction. */
  readonly texts: readonly BaitText[]
  /** Words that must not change, so that indicators can still match: names, addresses, literals. */
  readonly words: readonly string[]
  /** The paths of the bait, to be changed when it moves. */
  baits: readonly Path[]
}

/** A rewriting of the bait; deterministic. */
export interface Mutation {
  readonly name: string
  readonly kind: MutationKind
  /** The effect on the bait: a sentence without a subject. */
  readonly summary: string
  /** Changes the draft, or returns the reason why it does not apply; the draft must then be discarded. */
  apply(draft: MutationDraft): string | undefined
}
