/** Attacks with their baits rewritten. */
import type { SuiteAttack } from '@joust/arena'
import { mutate, mutations } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'
import { unknownWord } from '../options/unknown-word.ts'

/** Stands for all mutations. */
const ALL = 'all'

/** The outcome of rewriting one attack in one way. */
export interface Rewriting extends Pick<SuiteAttack, 'file'> {
  readonly by: string
  /** The mutant, or why there is none. */
  readonly made: ReturnType<typeof mutate>
}

/** The ways of rewriting that words name: a mutation, several joined by `+`, or all of them. */
export function waysOf(words: readonly string[], option: string): Result<readonly string[], string> {
  const known = mutations().map(({ name }) => name)
  const ways = words.flatMap((word) => (word === ALL ? known : [word]))
  const unknown = ways.flatMap((way) => way.split('+')).find((name) => !known.includes(name))
  if (unknown === undefined) return ok([...new Set(ways)])
  const message = `${option}: there is no mutation ${JSON.stringify(unknown)}`
  return err(unknownWord(message, unknown, [...known, ALL], 'joust mutate --list has them all'))
}

/** Rewrites each attack in each way. */
export function rewriteAll(attacks: readonly SuiteAttack[], ways: readonly string[]): Rewriting[] {
  return attacks.flatMap(({ file, attack }) => ways.map((by) => ({ file, by, made: mutate(attack, by.split('+')) })))
}

/** The attacks, each followed by its mutants. */
export function withMutants(attacks: readonly SuiteAttack[], ways: readonly string[]): SuiteAttack[] {
  return attacks.flatMap((attack) => [
    attack,
    ...rewriteAll([attack], ways).flatMap(({ file, by, made }) =>
      made.ok ? [{ file: `${file}#${by}`, attack: made.value }] : [],
    ),
  ])
}
