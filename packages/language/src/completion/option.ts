import type { Completion } from '../model.ts'

/** Something that could stand at a place, before it is known how it is written there. */
export interface Option {
  readonly label: string
  readonly kind: Completion['kind']
  readonly detail?: string
  readonly about?: string
  /** Whether more follows, as after the alias of a path expression. */
  readonly goesOn?: true
}

/** Options of one kind from plain words. */
export function optionsOf(labels: Iterable<string>, kind: Option['kind'], detail?: string): Option[] {
  return [...labels].map((label) => (detail === undefined ? { label, kind } : { label, kind, detail }))
}
