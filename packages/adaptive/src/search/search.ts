/**
 * Searches for a working bait: the attacker proposes baits, the arena runs them, and the attacker sees the outcomes.
 */
import { type LoadedAttack, tiers } from '@joust/oatf'
import {
  type AttackResults,
  attackIn,
  gatherResults,
  mutationsOf,
  type Redacted,
  type Results,
  type ResultsPart,
  statisticsOf,
  suiteFingerprint,
  trialsOf,
  withSearch,
  withStop,
} from '@joust/results'
import { type Cost, createSpending, type SuiteAttack } from '@joust/trials'
import { compareTried, minimize } from './candidate.ts'
import { type Observation, observe } from './observe.ts'
import type { Candidate, MeteredSearch, SearchBatch, SearchOptions, Tried } from './options.ts'
import { candidatesFor, type Search } from './propose.ts'

/** A working bait. */
export interface Found {
  readonly attack: LoadedAttack
  readonly by: readonly string[]
  readonly round: number
  /** Successes (`hits`) among the bait's most recent runs (`of`). */
  readonly worked: { readonly hits: number; readonly of: number }
  readonly minimized: boolean
}

/** The result of a search. */
export interface SearchResult {
  /** `static` if the original attack worked, `adaptive` if a candidate worked. */
  readonly success: 'static' | 'adaptive' | 'none'
  readonly found?: Found
  /** The number of candidates up to the first success, or of all candidates if none succeeded. */
  readonly tries: number
  readonly rounds: number
  /** The reason why the search ended early. */
  readonly stopped?: string
  readonly cost: Cost
  /** Results of the original attack and all candidates as one suite. Undefined if nothing was run. */
  readonly results?: Redacted<Results>
}

/**
 * Searches for a working bait. Does not reject if the attacker or the agent fails.
 *
 * @example
 * const attacker = modelAttacker('sim/attacker', model)
 * const limits = { rounds: 3, branches: 4, confirm: 3, shorten: 10, signal: AbortSignal.timeout(600_000) }
 * const options = { attacker, run: runWithin, redactor: unwrap(createRedactor()), ...limits }
 * const { found } = await searchBait({ file: 'mine', attack }, options)
 */
export async function searchBait(given: SuiteAttack, options: SearchOptions): Promise<SearchResult> {
  const spending = createSpending(options.budget, options.signal)
  const parts: ResultsPart[] = []
  const runWithin = spending.metered(options.run)
  const run = async (batch: SearchBatch) => {
    const results = await runWithin(batch)
    if (batch.round !== undefined) parts.push({ results, under: batch.name })
    return results
  }
  const metered = { ...options, run, halted: spending.halted, onCall: spending.attacker }
  const search: Search = { given, options: metered, tried: [], refused: [], known: new Set([given.attack.fingerprint]) }
  const ending = await searchRounds(search)
  const cost = spending.cost()
  if (parts.length === 0) return { ...ending, cost }
  const { success, tries, rounds, stopped } = ending
  const merged = gatherResults(parts, suiteFingerprint(search.tried.map(({ attack }) => attack)))
  const isCut = merged.stopped === undefined && stopped !== undefined && success === 'none'
  const reason = options.signal.aborted ? 'interrupted' : spending.exhausted() === undefined ? 'attacker' : 'budget'
  const whole = isCut ? withStop(merged, reason, options.redactor.text(stopped)) : merged
  const results = withSearch(whole, { success, tries, rounds, attacker: options.attacker.model, cost })
  return { ...ending, cost, results }
}

type Ending = Omit<SearchResult, 'cost' | 'results'>

async function searchRounds(search: Search): Promise<Ending> {
  const { given, options } = search
  const fixed = await tryAll(search, 0, [{ ...given, by: mutationsOf(given.attack.written.attack), round: 0 }])
  const [root] = search.tried
  if (root === undefined) return { success: 'none', tries: 0, rounds: 0, stopped: fixed.stopped ?? 'nothing was run' }
  if (isSuccess(root.results, options)) return { success: 'static', tries: 0, rounds: 0 }
  if (fixed.stopped !== undefined) return { success: 'none', tries: 0, rounds: 0, stopped: fixed.stopped }
  for (let round = 1; round <= options.rounds; round++) {
    const refused = search.refused.length
    const candidates = await candidatesFor(search, root, round)
    if (candidates.length === 0) return ended(search, round - 1, noProposalReason(search, refused))
    const { stopped } = await tryAll(search, round, candidates)
    const best = search.tried.toSorted(compareTried)[0]
    if (best !== undefined && isSuccess(best.results, options)) return succeed(search, best, round)
    if (stopped !== undefined) return ended(search, round, stopped)
  }
  return ended(search, options.rounds)
}

function ended({ tried }: Search, rounds: number, stopped?: string): Ending {
  return { success: 'none', tries: tried.length - 1, rounds, ...(stopped === undefined ? {} : { stopped }) }
}

function noProposalReason({ options, refused }: Search, before: number): string {
  const last = refused.slice(before).at(-1)?.outcome
  const nothing = `the attacker has nothing ${last === undefined ? 'more' : 'new'} to propose`
  return options.halted() ?? (last === undefined ? nothing : `${nothing}: ${last}`)
}

function isSuccess(results: Pick<AttackResults, 'outcome' | 'tier'>, { until }: Pick<SearchOptions, 'until'>): boolean {
  if (results.outcome !== 'exploited') return false
  return until === undefined || tiers.indexOf(results.tier ?? 'ingested') >= tiers.indexOf(until)
}

/** Runs candidates concurrently. Returns the reason if the runs were stopped. */
async function tryAll(
  { options, tried }: Search,
  round: number,
  candidates: readonly Candidate[],
): Promise<{ readonly stopped?: string }> {
  const { results, observations } = await runBatch(options, { name: `round-${round}`, round, attacks: candidates })
  for (const candidate of candidates) {
    const attackResults = attackIn(results, candidate.file)
    if (attackResults === undefined || attackResults.trials.length === 0) continue
    const one = { ...candidate, results: attackResults, did: observations.get(candidate.file)?.lines() ?? [] }
    tried.push(one)
    options.onTried?.(one)
  }
  return results.stopped === undefined ? {} : { stopped: results.stopped.message }
}

async function runBatch(options: MeteredSearch, batch: Omit<SearchBatch, 'onEvent'>) {
  const observations = new Map<string, Observation>()
  const results = await options.run({
    ...batch,
    onEvent({ file, trial }, event) {
      // The first trial is enough.
      if (event.type !== 'message-recorded' || trial > 1) return
      const observation = observations.get(file) ?? observe(options.redactor)
      observations.set(file, observation)
      observation.add(event.entry)
    },
  })
  return { results, observations }
}

async function succeed(search: Search, best: Tried, round: number): Promise<Ending> {
  const { options, tried } = search
  const tries = tried.indexOf(best)
  const base = { success: 'adaptive', tries, rounds: round } as const
  const origin = { by: best.by, round: best.round }
  const first = statisticsOf(best.results)
  const earlier = { hits: first.counts.exploited, of: first.judged }
  const confirmed = await worksIn(search, 'confirm', best.attack, options.confirm)
  if (confirmed === undefined || confirmed.hits < confirmed.of)
    return { ...base, found: { ...origin, attack: best.attack, worked: confirmed ?? earlier, minimized: false } }
  let number = 0
  const works = async (attack: LoadedAttack) => {
    number += 1
    // Most shortened baits fail, so one trial is run first.
    const worksAlways = async (name: string, runs: number) => {
      const worked = await worksIn(search, name, attack, runs)
      return worked !== undefined && worked.hits === worked.of
    }
    if (!(await worksAlways(`minimize-${number}`, 1))) return false
    return options.confirm === 1 || worksAlways(`minimize-${number}-again`, options.confirm - 1)
  }
  const halted = () => options.halted() !== undefined
  const shorter = await minimize(best.attack, { works, most: options.shorten, halted })
  return {
    ...base,
    found: { ...origin, attack: shorter.attack, worked: confirmed, minimized: shorter.attack !== best.attack },
  }
}

/** Counts the successes of an attack. Undefined if fewer trials were run than requested. */
async function worksIn({ given, options }: Search, name: string, attack: LoadedAttack, runs: number) {
  if (options.halted() !== undefined) return undefined
  const file = `${given.file}#${name}`
  const { results } = await runBatch(options, { name, attacks: [{ file, attack }], trials: runs })
  const trials = trialsOf(results)
  if (trials.length < runs) return undefined
  return { hits: trials.filter((trial) => isSuccess(trial, options)).length, of: trials.length }
}
