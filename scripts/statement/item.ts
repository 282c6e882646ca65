/** A test that proves a statement: its file, and its title or the title of a table row. */
export interface Proof {
  readonly file: string
  readonly title: string
}

/** An item in a list of obligations. */
export interface Item {
  /** The item number in the list. */
  readonly id: string
  /** The requirement level in the list. */
  readonly strength: 'MUST' | 'MUST NOT' | 'SHOULD' | 'MAY' | 'fact'
  readonly met: 'yes' | 'partly' | 'no'
  /** The behaviour of Joust. */
  readonly says: string
  /** Differences from the list, one sentence each. Present if and only if the item is not fully met. */
  readonly exceptions?: readonly string[]
  readonly shownBy: readonly Proof[]
}

/** A list of items and the required ids. */
export interface ItemList {
  readonly title: string
  readonly ids: readonly string[]
  readonly items: readonly Item[]
}

/** Returns `1`, `2`, … for a numbered list. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1))
}

/** Returns a proof in a package: `proof('arena', 'run', 'a title')` is in `packages/arena/test/run.test.ts`. */
export function proof(owner: string, file: string, title: string): Proof {
  return { file: `packages/${owner}/test/${file}.test.ts`, title }
}

/** Proof that this statement lists supported and unsupported features. */
export const thisPage: Proof = {
  file: 'test/scripts/statement.test.ts',
  title: 'the page lists supported and unsupported features',
}
