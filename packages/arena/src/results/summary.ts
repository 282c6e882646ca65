/** Results counted. */
import { type AttackResult, severityLevels, type Tier } from '@joust/oatf'
import { compareCodePoints } from '@joust/source'
import type { AttackResults, ResultAttack, Results } from './model.ts'

/** How many there are of each result. */
export type Counts = { readonly [result in AttackResult]: number } & { readonly total: number }

/** One row of a table: what it is about, and its counts. */
export interface SummaryRow {
  /** Undefined for attacks that do not say. */
  readonly name: string | undefined
  readonly attacks: Counts
}

/** What a page of results begins with. */
export interface Summary {
  /** Attacks by their verdict, which is that of the worst trial. */
  readonly attacks: Counts
  readonly trials: Counts
  /** Attacks that went through, by the highest tier that was shown. */
  readonly tiers: { readonly [tier in Tier | 'none']: number }
  readonly categories: readonly SummaryRow[]
  /** From critical on. */
  readonly severities: readonly SummaryRow[]
  /** An attack over two protocols is counted for both. */
  readonly protocols: readonly SummaryRow[]
}

const severities: readonly string[] = severityLevels.toReversed()

/** Counts attacks and trials, by category, severity and protocol. */
export function summaryOf({ attacks }: Pick<Results, 'attacks'>): Summary {
  const alphabetical = (a: string, b: string) => compareCodePoints(a, b)
  const bySeverity = (a: string, b: string) => severities.indexOf(a) - severities.indexOf(b)
  return {
    attacks: countResults(attacks.map(({ verdict }) => verdict.result)),
    trials: countResults(attacks.flatMap(({ trials }) => trials.map(({ verdict }) => verdict.result))),
    tiers: countTiers(attacks),
    categories: rowsBy(attacks, ({ category }) => [category], alphabetical),
    severities: rowsBy(attacks, ({ severity }) => [severity], bySeverity),
    protocols: rowsBy(attacks, ({ protocols }) => (protocols.length > 0 ? protocols : [undefined]), alphabetical),
  }
}

/** Counts results. */
export function countResults(results: readonly AttackResult[]): Counts {
  const counts = { exploited: 0, partial: 0, error: 0, not_exploited: 0, total: results.length }
  for (const result of results) counts[result] += 1
  return counts
}

function countTiers(attacks: readonly AttackResults[]): Summary['tiers'] {
  const tiers = { boundary_breach: 0, local_action: 0, ingested: 0, none: 0 }
  for (const { verdict } of attacks) if (verdict.result === 'exploited') tiers[verdict.max_tier ?? 'none'] += 1
  return tiers
}

function rowsBy(
  attacks: readonly AttackResults[],
  namesOf: (attack: ResultAttack) => readonly (string | undefined)[],
  order: (a: string, b: string) => number,
): SummaryRow[] {
  const groups = new Map<string | undefined, AttackResult[]>()
  for (const { attack, verdict } of attacks) {
    for (const name of new Set(namesOf(attack))) {
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [verdict.result])
      else group.push(verdict.result)
    }
  }
  const rows = [...groups].map(([name, results]) => ({ name, attacks: countResults(results) }))
  return rows.sort((a, b) => {
    if (a.name === undefined || b.name === undefined) return a.name === b.name ? 0 : a.name === undefined ? 1 : -1
    return order(a.name, b.name)
  })
}
