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

export interface BaitText {
  readonly at: Path
  readonly text: string
  /** The user's text around the bait, if a message quotes the bait. */
  readonly before: string
  readonly after: string
}

/** A private copy of a document, modified in place. */
export interface MutationDraft {
  readonly root: Value
  /** The bait texts that contain the instruction. */
  readonly texts: readonly BaitText[]
  /** Names, addresses and literals that must not change, so that indicators can still match. */
  readonly words: readonly string[]
  /** The bait paths. A mutation that moves the bait updates these paths. */
  baits: readonly Path[]
}

/** A deterministic rewriting of the bait. */
export interface Mutation {
  readonly name: string
  readonly kind: MutationKind
  /** The effect on the bait, in one sentence without a subject. */
  readonly summary: string
  /** Changes the draft, or returns the reason why the mutation does not apply. The draft must then be discarded. */
  apply(draft: MutationDraft): string | undefined
}
