/** Creates, compares and minimizes search candidates. */
import { baitOf, type LoadedAttack, mutate, rebait } from '@joust/oatf'
import { type AttackResults, compareOutcomes, outcomeMatches } from '@joust/results'
import { err, type Result } from '@joust/source'
import type { Attempt, Proposal, Tried } from './options.ts'

/** Stands in for the mutation names if a model wrote the bait. */
export const OWN_WORDS = 'attacker'

/** Creates an attack from a proposal. Errors are messages. */
export function attackFrom(base: LoadedAttack, proposal: Proposal): Result<LoadedAttack, string> {
  if ('by' in proposal) return mutate(base, proposal.by)
  if (Object.keys(proposal.texts).length === 0) return err('no text was proposed')
  return rebait(base, proposal.texts, OWN_WORDS)
}

/** Converts a candidate to the form shown to the attacker. */
export function attemptOf({ attack, by, results, did }: Tried): Attempt {
  const { outcome, reasons } = results
  const tier = results.tier
  const summary = [outcome, ...(tier === undefined ? [] : [`(${tier})`]), ...reasons.slice(0, 1)].join(' ')
  return { by, bait: baitOf(attack).texts.map(({ text }) => text), outcome: summary, did }
}

/** Sorts candidates by harm to the agent, then by matched indicators, then by round, best first. */
export function compareTried(a: Tried, b: Tried): number {
  return compareOutcomes(comparable(a), comparable(b)) || matchedIn(b) - matchedIn(a) || a.round - b.round
}

/** Ranks inconclusive runs last, so that the search does not build on them. */
function comparable({ results }: Tried): Pick<AttackResults, 'outcome' | 'verdict'> {
  return results.outcome === 'inconclusive' ? { ...results, outcome: 'not_applicable' } : results
}

function matchedIn({ results }: Tried): number {
  return outcomeMatches(results).length
}

interface MinimizeOptions {
  readonly works: (attack: LoadedAttack) => Promise<boolean>
  /** The maximum number of shortened baits to try. */
  readonly most: number
  readonly halted: () => boolean
}

interface Minimized {
  readonly attack: LoadedAttack
  readonly tried: number
}

const MINIMIZED = 'minimized'

/**
 * Removes words while the attack still works: halves first, then smaller ranges (delta debugging). Unless a limit is
 * reached, no single word of the result can be removed.
 */
export async function minimize(attack: LoadedAttack, options: MinimizeOptions): Promise<Minimized> {
  let best = attack
  let texts = Object.fromEntries(baitOf(attack).texts.map(({ path, text }) => [path, text]))
  let tried = 0
  for (const [path, text] of Object.entries(texts)) {
    await shorten(text, async (shorter) => {
      if (tried >= options.most || options.halted()) return false
      const fewer = { ...texts, [path]: shorter }
      const candidate = rebait(attack, fewer, MINIMIZED)
      if (!candidate.ok) return false
      tried += 1
      if (!(await options.works(candidate.value))) return false
      best = candidate.value
      texts = fewer
      return true
    })
  }
  return { attack: best, tried }
}

async function shorten(text: string, works: (shorter: string) => Promise<boolean>): Promise<void> {
  // A unit is a word with its trailing space. A template is one word.
  let units: string[] = text.match(/(?:\{\{[^{}]*\}\}|\S)+\s*/g) ?? []
  for (let size = Math.ceil(units.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < units.length; ) {
      const fewer = [...units.slice(0, at), ...units.slice(at + size)]
      if (fewer.length > 0 && (await works(fewer.join('').trim()))) units = fewer
      else at += size
    }
  }
}
