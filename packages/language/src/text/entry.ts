import type { Path, Span } from '@joust/source'

/** How a value is written. */
export type EntryForm = 'block' | 'flow' | 'scalar' | 'literal' | 'empty'

/** A key with its value, or an item of a list, and where it stands; all places are offsets. */
export interface Entry {
  readonly path: Path
  /** Where it begins: at its key, at its dash, or at the value of an item of a flow collection. */
  readonly start: number
  /** The column of its beginning, counted from 0. */
  readonly column: number
  /** Where the key stands; an item has none. */
  readonly key?: Span
  value: Span
  form: EntryForm
  /** What a scalar says, without quotes; only where the text could not be read as a whole. */
  text?: string
}

/** Whether two paths are the same. */
export function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index])
}

/** Whether a path is another one or leads on from it. */
export function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index])
}
