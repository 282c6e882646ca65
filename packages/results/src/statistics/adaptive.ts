/** Compares original attacks with their rewritten versions. */

import type { AttackResults, TargetResults } from '../model/results.ts'
import { costOf } from './summary.ts'

export interface AdaptiveAttack {
  /** File of the original attack. Absent if only rewritten versions were run. */
  readonly file?: string
  readonly name: string
  /** True if the original succeeded. */
  readonly static_success: boolean
  /** True if a rewritten version succeeded. */
  readonly adaptive_success: boolean
  /** Number of rewritten versions that were run. */
  readonly attempts: number
  /** The first successful rewritten version. `attempt` counts from 1. */
  readonly first?: { readonly file: string; readonly by: readonly string[]; readonly attempt: number }
  /** Tokens that the agent's model used in all attempts. */
  readonly tokens: number
}

export interface AdaptiveSummary {
  readonly attacks: readonly AdaptiveAttack[]
  readonly static_successes: number
  /** Number of attacks that succeeded in the original or a rewritten version. */
  readonly successes: number
  readonly attempts: number
  readonly tokens: number
}

/** Summarizes the attacks of a target. Undefined if there are no rewritten attacks. */
export function adaptiveSummary({ attacks }: Pick<TargetResults, 'attacks'>): AdaptiveSummary | undefined {
  const groups = new Map<string, AttackResults[]>()
  for (const one of attacks) {
    const { adapted } = one.attack
    if (adapted !== undefined) groups.set(adapted.parent, [...(groups.get(adapted.parent) ?? []), one])
  }
  if (groups.size === 0) return undefined
  const all = [...groups].map(([parent, attempts]) => {
    const fixed = attacks.find(({ fingerprint }) => fingerprint === parent)
    return adaptiveAttack(fixed, attempts)
  })
  return {
    attacks: all,
    static_successes: all.filter(({ static_success }) => static_success).length,
    successes: all.filter(({ static_success, adaptive_success }) => static_success || adaptive_success).length,
    attempts: all.reduce((sum, { attempts }) => sum + attempts, 0),
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

function adaptiveAttack(fixed: AttackResults | undefined, attempts: readonly AttackResults[]): AdaptiveAttack {
  // Versions without trials do not count as attempts.
  const runs = attempts.filter(({ trials }) => trials.length > 0)
  const at = runs.findIndex(({ outcome }) => outcome === 'exploited')
  const first = runs[at]
  return {
    ...(fixed && { file: fixed.file }),
    name: fixed?.attack.name ?? attempts[0]?.attack.name ?? '',
    static_success: fixed?.outcome === 'exploited',
    adaptive_success: first !== undefined,
    attempts: runs.length,
    ...(first && { first: { file: first.file, by: first.attack.adapted?.by ?? [], attempt: at + 1 } }),
    tokens: costOf(runs.flatMap(({ trials }) => trials)).tokens,
  }
}
