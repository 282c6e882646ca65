/** A bait that is tried. */
import { baitOf, type LoadedAttack, MUTATIONS, mutate, rebait } from '@joust/oatf'
import { err, isList, type Result, type Value } from '@joust/source'
import type { AttackResults } from '../results/model.ts'
import { compareOutcomes, tierOf } from '../results/outcome.ts'
import type { Attempt, Proposal } from './attacker.ts'

/** An attack on its way, or tried. */
export interface Candidate {
  readonly file: string
  readonly attack: LoadedAttack
  readonly by: readonly string[]
  /** 0 is the attack as it was given. */
  readonly round: number
}

/** A candidate that was run. */
export interface Tried extends Candidate {
  readonly results: AttackResults
  readonly did: readonly string[]
}

/** The word for a bait that a model has written. */
export const OWN_WORDS = 'attacker'

/** Makes an attack of a proposal; else why that is not possible. */
export function attackFrom(base: LoadedAttack, proposal: Proposal): Result<LoadedAttack, string> {
  if ('by' in proposal) return mutate(base, proposal.by)
  if (Object.keys(proposal.texts).length === 0) return err('no text was proposed')
  return rebait(base, proposal.texts, OWN_WORDS)
}

/** What made an attack what it is. */
export function historyOf({ written }: LoadedAttack): string[] {
  // Extensions are values of the document.
  const given = (written.attack[MUTATIONS] ?? []) as Value
  return isList(given) ? given.filter((name) => typeof name === 'string') : []
}

/** A candidate as it is told to an attacker. */
export function attemptOf({ attack, by, results, did }: Tried): Attempt {
  const { outcome, reasons } = results
  const tier = tierOf(results)
  const said = [outcome, ...(tier === undefined ? [] : [`(${tier})`]), ...reasons.slice(0, 1)].join(' ')
  return { by, bait: baitOf(attack).texts.map(({ text }) => text), outcome: said, did }
}

/** Orders from the best on: the worse for the agent, the better; then the one that matched more, then the earlier. */
export function compareTried(a: Tried, b: Tried): number {
  return compareOutcomes(known(a), known(b)) || matchedIn(b) - matchedIn(a) || a.round - b.round
}

/** Nothing is known of a run that came to no end; for a search that is not a success to build on. */
function known({ results }: Tried): Pick<AttackResults, 'outcome' | 'verdict'> {
  return results.outcome === 'inconclusive' ? { ...results, outcome: 'not_applicable' } : results
}

function matchedIn({ results }: Tried): number {
  return results.verdict.evaluation_summary.matched
}
