/** Candidates of a search: creation, comparison and minimization. */
import { baitOf, type LoadedAttack, mutate, rebait } from '@joust/oatf'
import type { AttackResults } from '@joust/results'
import { compareOutcomes, outcomeMatches } from '@joust/results'
import { err, type Result } from '@joust/source'
import type { Attempt, Proposal, Tried } from './options.ts'

/** The name for a bait written by a model, in place of mutations. */
export const OWN_WORDS = 'attacker'

/** Creates an attack from a proposal; the error is a message. */
export function attackFrom(base: LoadedAttack, proposal: Proposal): Result<LoadedAttack, string> {
  if ('by' in proposal) return mutate(base, proposal.by)
  if (Object.keys(proposal.texts).length === 0) return err('no text was proposed')
  return rebait(base, proposal.texts, OWN_WORDS)
}

/** Converts a candidate to the form that the attacker sees. */
export function attemptOf({ attack, by, results, did }: Tried): Attempt {
  const { outcome, reasons } = results
  const tier = results.tier
  const summary = [outcome, ...(tier === undefined ? [] : [`(${tier})`]), ...reasons.slice(0, 1)].join(' ')
  return { by, bait: baitOf(attack).texts.map(({ text }) => text), outcome: summary, did }
}

/** Sorts the best candidates first: by harm to the agent, then by matches, then by round. */
export function compareTried(a: Tried, b: Tried): number {
  return compareOutcomes(comparable(a), comparable(b)) || matchedIn(b) - matchedIn(a) || a.round - b.round
}

/** Ranks an inconclusive run last, so that the search does not build on it. */
function comparable({ results }: Tried): Pick<AttackResults, 'outcome' | 'verdict'> {
  return results.outcome === 'inconclusive' ? { ...results, outcome: 'not_applicable' } : results
}

function matchedIn({ results }: Tried): number {
  return outcomeMatches(results).length
}

interface MinimizeOptions {
  /** True if an attack still works. */
  readonly works: (attack: LoadedAttack) => Promise<boolean>
  /** The maximum number of shorter baits. */
  readonly most: number
  /** True when the search has to stop. */
  readonly halted: () => boolean
}

interface Minimized {
  readonly attack: LoadedAttack
  readonly tried: number
}

const MINIMIZED = 'minimized'

/**
 * Removes words as long as the attack works: halves first, then smaller ranges (delta debugging). In the result, no
 * single word can be removed, unless a limit was reached first.
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
  let units = unitsOf(text)
  for (let size = Math.ceil(units.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < units.length; ) {
      const fewer = [...units.slice(0, at), ...units.slice(at + size)]
      if (fewer.length > 0 && (await works(fewer.join('').trim()))) units = fewer
      else at += size
    }
  }
}

/** Splits a text into words with their trailing space; a template counts as one word. */
function unitsOf(text: string): string[] {
  return text.match(/(?:\{\{[^{}]*\}\}|\S)+\s*/g) ?? []
}
