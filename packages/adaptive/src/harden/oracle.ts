/** Runs attacks to find the effect of restraints. Sets that are identical for an attack share one run. */
import {
  attackIn,
  costOf,
  type Redacted,
  type Results,
  type ResultsPart,
  trialsOf,
  type UtilityShare,
} from '@joust/results'
import { defined, type Result } from '@joust/source'
import { type EditedAgent, editAgent } from './edit.ts'
import { effectOf } from './effect.ts'
import type { Evidence } from './evidence.ts'
import type { HardenBatch, MeteredHardening } from './options.ts'
import { chosenFrom, type Restraint } from './restraint.ts'
import type { Effect, Space } from './smallest.ts'

/** A source for the effects of restraint sets. Restraints and attacks are referred to by index. */
export interface Oracle {
  readonly effects: Space['effects']
  readonly confirm: NonNullable<Space['confirm']>
  /** Returns the effect if it is known. Undefined if a run is required. */
  known(set: readonly number[], attack: number): Effect | undefined
  /** Returns the results that confirmed a set, and the folder with their traces. */
  confirmed(set: readonly number[]): ResultsPart | undefined
  readonly cost: { sets: number; runs: number; calls: number; tokens: number }
}

interface OracleParts {
  readonly restraints: readonly Restraint[]
  readonly evidence: readonly Evidence[]
  readonly options: MeteredHardening
  /** Share of the original agent's runs in which the task was done, by attack. */
  readonly sharesBefore: readonly (UtilityShare | undefined)[]
}

export function createOracle(parts: OracleParts): Oracle {
  const { evidence, options, sharesBefore } = parts
  const memory = new Map<string, Effect>()
  const confirmations = new Map<string, ResultsPart>()
  const cost = { sets: 0, runs: 0, calls: 0, tokens: 0 }
  const versions = createVersions(parts)
  const before = evidence.map(({ results }, attack) => effectOf(results, sharesBefore[attack]))
  return {
    cost,
    known(set, attack) {
      const relevant = relevantTo(attack, set, parts)
      return relevant.length === 0 ? before[attack] : memory.get(`${attack}: ${versions.idOf(relevant)}`)
    },
    confirmed: (set) => confirmations.get(set.join(' ')),
    async effects(set, attacks) {
      const keys = await Promise.all(
        attacks.map(async (attack) => `${attack}: ${(await versions.of(relevantTo(attack, set, parts))).id}`),
      )
      attacks.forEach((attack, index) => {
        const effect = relevantTo(attack, set, parts).length === 0 ? before[attack] : undefined
        if (effect !== undefined) memory.set(keys[index] ?? '', effect)
      })
      const unknown = attacks.filter((_, index) => !memory.has(keys[index] ?? ''))
      if (unknown.length > 0) {
        cost.sets += 1
        const question = { name: `try-${cost.sets}`, set, attacks: unknown, kept: false }
        const answer = await ask(question, parts, versions, cost)
        if (answer === undefined) return undefined
        for (const [index, effect] of answer.effects.entries())
          memory.set(keys[attacks.indexOf(unknown[index] ?? -1)] ?? '', effect)
      }
      return keys.flatMap((key) => memory.get(key) ?? [])
    },
    async confirm(set, targets) {
      const all = evidence.map((_, index) => index)
      const name = `after-${confirmations.size + 1}`
      const question = { name, kept: true, set, attacks: all, trials: options.confirm }
      const answer = await ask(question, parts, versions, cost)
      if (answer?.results === undefined) return answer === undefined ? undefined : false
      confirmations.set(set.join(' '), { results: answer.results, under: name })
      return answer.effects.every(({ attack, kept }, index) => {
        // An attack that no set stops may still succeed.
        const mayPass = before[index]?.attack === 'through'
        return kept && (targets.includes(index) ? attack === 'stopped' : attack !== 'through' || mayPass)
      })
    },
  }
}

interface Question extends Pick<HardenBatch, 'name' | 'kept'> {
  readonly set: readonly number[]
  readonly attacks: readonly number[]
  readonly trials?: number
}

/** Runs the attacks on the agent with a set applied. Returns undefined if the search must end. */
async function ask(
  { name, kept, set, attacks, trials }: Question,
  { restraints, evidence, options, sharesBefore }: OracleParts,
  versions: ReturnType<typeof createVersions>,
  cost: Oracle['cost'],
): Promise<{ readonly effects: readonly Effect[]; readonly results?: Redacted<Results> } | undefined> {
  if (options.halted() !== undefined) return undefined
  const { edited } = await versions.of(set)
  const chosen = chosenFrom(evidence, attacks).map(({ attack }) => attack)
  // Restraints that are valid alone may conflict, and the agent then cannot be loaded.
  if (!edited.ok) return { effects: chosen.map(() => NOTHING_KNOWN) }
  const quiet = { onEvent: () => {}, onAgentEvent: () => {} }
  const batch = defined({ name, kept, agent: edited.value.agent, attacks: chosen, trials })
  const results = await options.run({ ...batch, ...quiet })
  spend(cost, results)
  if (results.stopped !== undefined) return undefined
  const effects = attacks.map((attack, index) => {
    const attackResults = attackIn(results, chosen[index]?.file)
    return attackResults === undefined ? NOTHING_KNOWN : effectOf(attackResults, sharesBefore[attack])
  })
  options.onTried?.({ restraints: chosenFrom(restraints, set), attacks: chosen, effects })
  return { effects, results }
}

const NOTHING_KNOWN: Effect = { attack: 'unknown', kept: false }

/** Returns the restraints in a set that can affect an attack. Restraints on unrelated servers cannot. */
function relevantTo(attack: number, set: readonly number[], { restraints, evidence, options }: OracleParts): number[] {
  const actors = evidence[attack]?.actors ?? []
  const { bind = {} } = options
  return set.filter((index) => {
    const alias = restraints[index]?.alias
    return alias === undefined || actors.includes(bind[alias] ?? alias)
  })
}

/** Creates and caches the restrained agents. Sets that result in the same text have the same id. */
function createVersions({ restraints, options }: OracleParts) {
  const cache = new Map<string, { readonly id: string; readonly edited: Result<EditedAgent, string> }>()
  return {
    idOf: (set: readonly number[]) => cache.get(set.join(' '))?.id,
    async of(set: readonly number[]) {
      const key = set.join(' ')
      const before = cache.get(key)
      if (before !== undefined) return before
      const edited = await editAgent(options.agent, chosenFrom(restraints, set))
      const version = { id: edited.ok ? JSON.stringify(edited.value.files) : `? ${key}`, edited }
      cache.set(key, version)
      return version
    },
  }
}

function spend(cost: Oracle['cost'], results: Results): void {
  const trials = trialsOf(results)
  const { calls, tokens } = costOf(trials)
  cost.runs += trials.length
  cost.calls += calls
  cost.tokens += tokens
}
