/** A bait that is tried. */
import { baitOf, type LoadedAttack, mutate, rebait } from '@joust/oatf'
import { err, type Result } from '@joust/source'
import type { AttackResults } from '../results/model.ts'
import { compareOutcomes, outcomeMatches } from '../results/outcome-order.ts'
import type { Attempt, Proposal, Tried } from './options.ts'

/** What marks a bait that a model wrote. */
export const OWN_WORDS = 'attacker'

/** Makes an attack from a proposal, or says why that is not possible. */
export function attackFrom(base: LoadedAttack, proposal: Proposal): Result<LoadedAttack, string> {
  if ('by' in proposal) return mutate(base, proposal.by)
  if (Object.keys(proposal.texts).length === 0) return err('no text was proposed')
  return rebait(base, proposal.texts, OWN_WORDS)
}

/** A candidate as an attacker is told about it. */
export function attemptOf({ attack, by, results, did }: Tried): Attempt {
  const { outcome, reasons } = results
  const tier = results.tier
  const said = [outcome, ...(tier === undefined ? [] : [`(${tier})`]), ...reasons.slice(0, 1)].join(' ')
  return { by, bait: baitOf(attack).texts.map(({ text }) => text), outcome: said, did }
}

/** Orders from best to worst: the worse for the agent, the better; then what matched more, then the earlier one. */
export function compareTried(a: Tried, b: Tried): number {
  return compareOutcomes(known(a), known(b)) || matchedIn(b) - matchedIn(a) || a.round - b.round
}

/** Nothing is known about a run that did not end; a search must not build on it. */
function known({ results }: Tried): Pick<AttackResults, 'outcome' | 'verdict'> {
  return results.outcome === 'inconclusive' ? { ...results, outcome: 'not_applicable' } : results
}

function matchedIn({ results }: Tried): number {
  return outcomeMatches(results).length
}

interface MinimizeOptions {
  /** Whether an attack still works. */
  readonly works: (attack: LoadedAttack) => Promise<boolean>
  /** The most shorter baits that are tried. */
  readonly most: number
  /** Whether it has to end now. */
  readonly halted: () => boolean
}

interface Minimized {
  readonly attack: LoadedAttack
  readonly tried: number
}

const MADE_SHORTER = 'minimized'

/**
 * Leaves out words as long as the attack works: halves first, then smaller stretches (delta debugging). The result is
 * minimal in that no single stretch of the last size can be left out, unless the bound was reached first.
 */
export async function minimize(attack: LoadedAttack, options: MinimizeOptions): Promise<Minimized> {
  let best = attack
  let texts = Object.fromEntries(baitOf(attack).texts.map(({ path, text }) => [path, text]))
  let tried = 0
  for (const [path, text] of Object.entries(texts)) {
    await shorten(text, async (shorter) => {
      if (tried >= options.most || options.halted()) return false
      const fewer = { ...texts, [path]: shorter }
      const made = rebait(attack, fewer, MADE_SHORTER)
      if (!made.ok) return false
      tried += 1
      if (!(await options.works(made.value))) return false
      best = made.value
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

/** Words with the space after them; a template is one word, whatever it holds. */
function unitsOf(text: string): string[] {
  return text.match(/(?:\{\{[^{}]*\}\}|\S)+\s*/g) ?? []
}
