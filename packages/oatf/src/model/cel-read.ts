import type { Limits } from '@joust/source'

/** A step of what a CEL expression reads: a field, or some element of what is at hand. */
export type CelStep = { readonly field: string } | 'each'

/** Something that a CEL expression reads. */
export interface CelRead {
  /** The variable it starts from. */
  readonly root: string
  readonly steps: readonly CelStep[]
  /** Whether the expression only asks, by `has()`, if it is there. */
  readonly tested: boolean
}

/** Says what an expression reads; undefined for a text that is not an expression. */
export type CelReader = (expression: string, limits: Limits) => readonly CelRead[] | undefined
