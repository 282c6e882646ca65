/** A test that proves a statement: its file, and its title or that of a row, as written there. */
export interface Proof {
  readonly file: string
  readonly title: string
}

/** An item of a list of obligations. */
export interface Item {
  /** Its number in the list. */
  readonly id: string
  /** Its requirement level in the list. */
  readonly strength: 'MUST' | 'MUST NOT' | 'SHOULD' | 'MAY' | 'fact'
  readonly met: 'yes' | 'partly' | 'no'
  /** The behaviour of Joust. */
  readonly says: string
  /** Differences from the list, one sentence each; present if and only if the item is not fully met. */
  readonly exceptions?: readonly string[]
  readonly shownBy: readonly Proof[]
}

/** A list of items with the ids that it must have. */
export interface ItemList {
  readonly title: string
  readonly ids: readonly string[]
  readonly items: readonly Item[]
}

/** `1`, `2`, … for a numbered list. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1))
}

/** A proof from a file of a package: `proof('arena', 'run', 'a title')` is in `packages/arena/test/run.test.ts`. */
export function proof(owner: string, file: string, title: string): Proof {
  return { file: `packages/${owner}/test/${file}.test.ts`, title }
}

/** The proof that this statement says what is supported and what is not. */
export const thisPage: Proof = {
  file: 'test/scripts/statement.test.ts',
  title: 'the page lists supported and unsupported features',
}
