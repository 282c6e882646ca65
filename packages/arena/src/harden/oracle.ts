/** Asks the arena what a set of restraints does; the same question is asked once. */
import type { Redacted } from '../model/redacted.ts'
import type { AttackResults, Results } from '../results/model.ts'
import type { UtilityShare } from '../results/utility.ts'
import { editAgent } from './edit.ts'
import { effectOf } from './effect.ts'
import type { Evidence } from './evidence.ts'
import type { HardenOptions } from './options.ts'
import type { Restraint } from './restraint.ts'
import type { Effect } from './smallest.ts'

/** What can be asked. Restraints and attacks go by their numbers. */
export interface Oracle {
  readonly effects: (set: readonly number[], attacks: readonly number[]) => Promise<readonly Effect[] | undefined>
  readonly confirm: (set: readonly number[], targets: readonly number[]) => Promise<boolean | undefined>
  /** What is known without asking. */
  known(set: readonly number[], attack: number): Effect | undefined
  /** The results by which a set was believed. */
  confirmed(set: readonly number[]): Redacted<Results> | undefined
  readonly cost: { sets: number; runs: number; calls: number; tokens: number }
}

interface OracleParts {
  readonly restraints: readonly Restraint[]
  readonly evidence: readonly Evidence[]
  /** The share of the task before, by attack. */
  readonly sharesBefore: readonly (UtilityShare | undefined)[]
  readonly options: HardenOptions
}

/** Makes one. */
export function createOracle({ restraints, evidence, sharesBefore, options }: OracleParts): Oracle {
  const memory = new Map<string, Effect>()
  const believed = new Map<string, Redacted<Results>>()
  const cost = { sets: 0, runs: 0, calls: 0, tokens: 0 }
  const chosen = (set: readonly number[]) => set.flatMap((index) => restraints.slice(index, index + 1))
  /** A restraint of a server that has no part in an attack changes nothing about it. */
  const keyOf = (set: readonly number[], attack: number) => {
    const actors = evidence[attack]?.actors ?? []
    const { bind = {} } = options
    const plays = (alias: string) => actors.includes(bind[alias] ?? alias)
    const relevant = set.filter((index) => {
      const alias = restraints[index]?.alias
      return alias === undefined || plays(alias)
    })
    return `${attack}: ${relevant.join(' ')}`
  }
  evidence.forEach(({ results }, attack) => {
    memory.set(`${attack}: `, effectOf(results, sharesBefore[attack]))
  })

  async function ask(name: string, set: readonly number[], attacks: readonly number[], trials?: number) {
    if (options.signal.aborted || options.exhausted?.() !== undefined) return undefined
    const edited = await editAgent(options.agent, chosen(set))
    const wanted = attacks.flatMap((index) => evidence.slice(index, index + 1).map(({ attack }) => attack))
    // Restraints that are valid one by one may contradict each other: such an agent does nothing.
    if (!edited.ok) return { effects: wanted.map((): Effect => ({ attack: 'unknown', kept: false })) }
    const quiet = { onEvent: () => {}, onAgentEvent: () => {} }
    const many = trials === undefined ? {} : { trials }
    const results = await options.run({ name, agent: edited.value.agent, attacks: wanted, ...many, ...quiet })
    spend(cost, results)
    if (results.stopped !== undefined) return undefined
    const byFile = new Map<string, AttackResults>(
      results.targets.flatMap((one) => one.attacks.map((each) => [each.file, each])),
    )
    const effects = attacks.map((attack, index): Effect => {
      const found = byFile.get(wanted[index]?.file ?? '')
      return found === undefined ? { attack: 'unknown', kept: false } : effectOf(found, sharesBefore[attack])
    })
    options.onTried?.({ restraints: chosen(set), attacks: wanted, effects })
    return { effects, results }
  }

  return {
    cost,
    known: (set, attack) => memory.get(keyOf(set, attack)),
    confirmed: (set) => believed.get(set.join(' ')),
    async effects(set, attacks) {
      const unknown = attacks.filter((attack) => !memory.has(keyOf(set, attack)))
      if (unknown.length > 0) {
        cost.sets += 1
        const told = await ask(`try-${cost.sets}`, set, unknown)
        if (told === undefined) return undefined
        told.effects.forEach((effect, index) => {
          const attack = unknown[index]
          if (attack !== undefined) memory.set(keyOf(set, attack), effect)
        })
      }
      return attacks.flatMap((attack) => memory.get(keyOf(set, attack)) ?? [])
    },
    async confirm(set, targets) {
      const all = evidence.map((_, index) => index)
      const told = await ask(`after-${believed.size + 1}`, set, all, options.confirm)
      if (told?.results === undefined) return told === undefined ? undefined : false
      believed.set(set.join(' '), told.results)
      return told.effects.every(({ attack, kept }, index) => {
        // An attack that no set stops may go on as before.
        const before = memory.get(`${index}: `)?.attack
        return kept && (targets.includes(index) ? attack === 'stopped' : attack !== 'through' || before === 'through')
      })
    },
  }
}

function spend(cost: Oracle['cost'], { targets }: Results): void {
  for (const { usage } of targets.flatMap((one) => one.attacks.flatMap(({ trials }) => trials))) {
    cost.runs += 1
    cost.calls += usage?.calls ?? 0
    cost.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)
  }
}
