/** Attacks with mutated bait. */

import type { RuleText } from '@joust/authoring'
import { baitOf, mutate, mutations, rebait, replacePlacebo } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { unknownWord } from '../options/unknown-word.ts'

const ALL = 'all'

export interface Rewriting extends Pick<SuiteAttack, 'file'> {
  readonly by: string
  /** The mutant, or the reason the mutation does not apply. */
  readonly mutant: ReturnType<typeof mutate>
}

/** Parses mutations: a name, several joined by `+`, or `all`. */
export function waysOf(words: readonly string[], option: string): Result<readonly string[], string> {
  const names = mutations().map(({ name }) => name)
  const ways = words.flatMap((word) => (word === ALL ? names : [word]))
  const unknown = ways.flatMap((way) => way.split('+')).find((name) => !names.includes(name))
  if (unknown === undefined) return ok([...new Set(ways)])
  const message = `${option}: unknown mutation ${JSON.stringify(unknown)}`
  return err(unknownWord(message, unknown, [...names, ALL], 'run joust mutate --list for the list'))
}

export function rewriteAll(attacks: readonly SuiteAttack[], ways: readonly string[]): Rewriting[] {
  return attacks.flatMap(({ file, attack }) => ways.map((by) => ({ file, by, mutant: mutate(attack, by.split('+')) })))
}

/** Puts each text in front of the bait of each attack. */
export function withBaits(attacks: readonly SuiteAttack[], texts: readonly RuleText[]): Rewriting[] {
  return attacks.flatMap(({ file, attack }) => {
    const before = baitOf(attack).texts
    return texts.map(({ id, text }) => {
      const baits = before.map((bait) => [bait.path, `${plain(text)}\n\n${bait.text}`] as const)
      const mutant = baits.length > 0 ? rebait(attack, Object.fromEntries(baits), id) : err('the bait has no text')
      return { file, by: id, mutant }
    })
  })
}

export function withPlacebos(attacks: readonly SuiteAttack[], texts: readonly RuleText[]): Rewriting[] {
  return attacks.flatMap(({ file, attack }) =>
    texts.map(({ id, text }) => ({ file, by: id, mutant: replacePlacebo(attack, plain(text), id) })),
  )
}

const plain = (text: string): string => text.replaceAll('{{', '\\{{')

/** Returns the attacks, each followed by its mutants. */
export function withMutants(attacks: readonly SuiteAttack[], ways: readonly string[]): SuiteAttack[] {
  return attacks.flatMap((attack) => [
    attack,
    ...rewriteAll([attack], ways).flatMap(({ file, by, mutant }) =>
      mutant.ok ? [{ file: `${file}#${by}`, attack: mutant.value }] : [],
    ),
  ])
}
