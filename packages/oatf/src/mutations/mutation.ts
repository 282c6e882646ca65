/** What a rewriting of the bait is, and what it works on. */
import type { Path, Value } from '@joust/source'

/** What a mutation plays with. */
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

/** A text of the bait, and where it is. */
export interface BaitText {
  readonly at: Path
  readonly text: string
  /** The user's words around it, where a message quotes it. */
  readonly before: string
  readonly after: string
}

/** A document on its way to becoming another one: private, changed in place. */
export interface MutationDraft {
  readonly root: Value
  /** The texts of the bait that give an order. */
  readonly texts: readonly BaitText[]
  /** What must survive unchanged for an indicator to recognize it: names, addresses, what is looked for. */
  readonly words: readonly string[]
  /** The paths of the bait, to be changed when it moves. */
  baits: readonly Path[]
}

/** A rewriting of the bait; deterministic. */
export interface Mutation {
  readonly name: string
  readonly kind: MutationKind
  /** What it does to the bait, in a sentence without a subject. */
  readonly summary: string
  /** Changes the draft. Where it does not apply, returns the reason, and the draft is of no use any more. */
  apply(draft: MutationDraft): string | undefined
}
