import type { Span } from '@joust/source'

/** What a name stands for. */
export type NameKind = 'actor' | 'phase' | 'extractor' | 'local agent' | 'callable' | 'target' | 'preset'

/** A name in a document: where something gets it, or where it is used. */
export interface NameSite {
  readonly kind: NameKind
  /** The same for everything that means the same thing. */
  readonly id: string
  readonly name: string
  readonly role: 'definition' | 'reference'
  readonly range: Span
}
