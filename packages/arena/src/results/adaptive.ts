/** What an attacker who tries again achieves that a fixed text does not. */

import type { AttackResults, TargetResults } from './model.ts'
import { costOf } from './summary.ts'

/** An attack, and the attempts that were made of it. */
export interface AdaptiveAttack {
  /** The attack as in its file; absent where only rewritings of it were run. */
  readonly file?: string
  readonly name: string
  /** Whether the fixed text got through. */
  readonly static_success: boolean
  /** Whether a rewriting did. */
  readonly adaptive_success: boolean
  /** How many rewritings were run. */
  readonly attempts: number
  /** The first that got through, and which attempt it was, counted from 1. */
  readonly first?: { readonly file: string; readonly by: readonly string[]; readonly attempt: number }
  /** What the agent's models used for all attempts. */
  readonly tokens: number
}

/** All attacks together. */
export interface AdaptiveSummary {
  readonly attacks: readonly AdaptiveAttack[]
  readonly static_successes: number
  /** Attacks whose fixed text or rewriting got through. */
  readonly successes: number
  readonly attempts: number
  readonly tokens: number
}

/** The summary; undefined where nothing was rewritten. */
export function adaptiveSummary({ attacks }: Pick<TargetResults, 'attacks'>): AdaptiveSummary | undefined {
  const groups = new Map<string, AttackResults[]>()
  for (const one of attacks) {
    const { adapted } = one.attack
    if (adapted !== undefined) groups.set(adapted.parent, [...(groups.get(adapted.parent) ?? []), one])
  }
  if (groups.size === 0) return undefined
  const all = [...groups].map(([parent, attempts]) =>
    adaptiveAttack(
      attacks.find(({ fingerprint }) => fingerprint === parent),
      attempts,
    ),
  )
  return {
    attacks: all,
    static_successes: all.filter(({ static_success }) => static_success).length,
    successes: all.filter(({ static_success, adaptive_success }) => static_success || adaptive_success).length,
    attempts: all.reduce((sum, { attempts }) => sum + attempts, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

function adaptiveAttack(fixed: AttackResults | undefined, attempts: readonly AttackResults[]): AdaptiveAttack {
  // What was not run is not an attempt.
  const made = attempts.filter(({ trials }) => trials.length > 0)
  const at = made.findIndex(({ outcome }) => outcome === 'exploited')
  const first = made[at]
  return {
    ...(fixed && { file: fixed.file }),
    name: fixed?.attack.name ?? attempts[0]?.attack.name ?? '',
    static_success: fixed?.outcome === 'exploited',
    adaptive_success: first !== undefined,
    attempts: made.length,
    ...(first && { first: { file: first.file, by: first.attack.adapted?.by ?? [], attempt: at + 1 } }),
    tokens: costOf(made.flatMap(({ trials }) => trials)).tokens,
  }
}
