import { severityRank, type Tier } from '@joust/oatf'
import { compareCodePoints } from '@joust/source'
import { stopperOf } from '../describe/controls.ts'
import { costIn } from '../describe/usage.ts'
import { type StoppedBy, stoppers } from '../model/controls.ts'
import type { Outcome } from '../model/outcome.ts'
import type { AttackResults, ModelCost, Price, ResultAttack, Results, TargetResults, Trial } from '../model/results.ts'

export type Counts = { readonly [outcome in Outcome]: number } & { readonly total: number }

export interface SummaryRow {
  /** The value of the property. Undefined for attacks that do not have the property. */
  readonly name: string | undefined
  readonly attacks: Counts
}

export interface Summary {
  readonly attacks: Counts
  readonly trials: Counts
  /** Number of successful attacks by their highest tier. */
  readonly tiers: { readonly [tier in Tier | 'none']: number }
  readonly categories: readonly SummaryRow[]
  /** Counts by severity, from critical to low. */
  readonly severities: readonly SummaryRow[]
  /** Counts by protocol. An attack over two protocols counts for both. */
  readonly protocols: readonly SummaryRow[]
}

/**
 * Counts attacks and trials in total, and attacks by category, severity and protocol.
 *
 * @example
 * for (const target of results.targets) console.log(summaryOf(target).attacks)
 */
export function summaryOf({ attacks }: Pick<TargetResults, 'attacks'>): Summary {
  const alphabetical = (a: string, b: string) => compareCodePoints(a, b)
  const bySeverity = (a: string, b: string) => severityRank(b) - severityRank(a)
  return {
    attacks: countOutcomes(attacks),
    trials: countOutcomes(attacks.flatMap(({ trials }) => trials)),
    tiers: countTiers(attacks),
    categories: rowsBy(attacks, ({ category }) => [category], alphabetical),
    severities: rowsBy(attacks, ({ severity }) => [severity], bySeverity),
    protocols: rowsBy(attacks, ({ protocols }) => (protocols.length > 0 ? protocols : [undefined]), alphabetical),
  }
}

export function countOutcomes(all: readonly { readonly outcome: Outcome }[]): Counts {
  const counts = { exploited: 0, partial: 0, inconclusive: 0, resisted: 0, not_applicable: 0, total: all.length }
  for (const { outcome } of all) counts[outcome] += 1
  return counts
}

function countTiers(attacks: readonly AttackResults[]): Summary['tiers'] {
  const tiers = { boundary_breach: 0, local_action: 0, ingested: 0, none: 0 }
  for (const { outcome, tier } of attacks) if (outcome === 'exploited') tiers[tier ?? 'none'] += 1
  return tiers
}

function rowsBy(
  attacks: readonly AttackResults[],
  namesOf: (attack: ResultAttack) => readonly (string | undefined)[],
  order: (a: string, b: string) => number,
): SummaryRow[] {
  const groups = new Map<string | undefined, AttackResults[]>()
  for (const results of attacks) {
    for (const name of new Set(namesOf(results.attack))) {
      const group = groups.get(name)
      if (group === undefined) groups.set(name, [results])
      else group.push(results)
    }
  }
  const rows = [...groups].map(([name, members]) => ({ name, attacks: countOutcomes(members) }))
  return rows.sort((a, b) => {
    if (a.name === undefined || b.name === undefined) return a.name === b.name ? 0 : a.name === undefined ? 1 : -1
    return order(a.name, b.name)
  })
}

/** Returns all trials in results, except for placebo trials. */
export function trialsOf({ targets }: Results): Trial[] {
  return targets.flatMap(({ attacks }) => attacks.flatMap(({ trials }) => trials))
}

/** Finds the results of an attack by file. */
export function attackIn({ targets }: Results, file: string | undefined): AttackResults | undefined {
  return targets.flatMap(({ attacks }) => attacks).find((attack) => attack.file === file)
}

/** Adds up the model usage of trials. */
export function costOf(trials: readonly Trial[]): ModelCost {
  const usages = trials.flatMap(({ usage }) => usage ?? [])
  return {
    calls: usages.reduce((sum, { calls }) => sum + calls, 0),
    tokens: usages.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
  }
}

/** Adds up the model usage of the preflight and all runs, placebo trials included; undefined if none was recorded. */
export function usageOf({ attacks, preflight }: Pick<TargetResults, 'attacks' | 'preflight'>): Trial['usage'] {
  const usages = [preflight, ...attacks.flatMap(runsOf)].flatMap((run) => run?.usage ?? [])
  if (usages.length === 0) return undefined
  const sum = (of: (usage: NonNullable<Trial['usage']>) => number) => usages.reduce((total, one) => total + of(one), 0)
  return {
    calls: sum(({ calls }) => calls),
    input_tokens: sum(({ input_tokens }) => input_tokens),
    output_tokens: sum(({ output_tokens }) => output_tokens),
  }
}

/** Returns all runs of an attack: the trials, then the runs without the bait. */
export function runsOf({ trials, placebo_trials = [] }: Pick<AttackResults, 'trials' | 'placebo_trials'>): Trial[] {
  return [...trials, ...placebo_trials]
}

/** Adds the cost of each attack and of the target, if the price is known. */
export function withCosts<T extends Omit<TargetResults, 'cost_usd'>>(target: T): T & Pick<TargetResults, 'cost_usd'> {
  const { price, attacks } = target
  if (price === undefined) return target
  return {
    ...target,
    ...costFor(price, target),
    attacks: attacks.map((attack) => ({ ...attack, ...costFor(price, { attacks: [attack] }) })),
  }
}

function costFor(price: Price, of: Parameters<typeof usageOf>[0]): Pick<TargetResults, 'cost_usd'> {
  const usage = usageOf(of)
  return usage === undefined ? {} : { cost_usd: costIn(price, usage) }
}

/** Counts resisted attacks by the part of the target that stopped them. Omits parts that did not stop any attack. */
export function stoppersOf(attacks: readonly AttackResults[]): readonly (readonly [StoppedBy, number])[] {
  const all = attacks.map(stopperOf)
  return stoppers.flatMap((stopper) => {
    const stopped = all.filter((one) => one === stopper).length
    return stopped === 0 ? [] : [[stopper, stopped] as const]
  })
}
