/** A pass that the same results disprove. Results may come from anywhere, and no report repeats such a pass. */
import type { Diagnostic } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import type { AttackResults, Results, Trial } from './model.ts'

/** Every `resisted` over an exploited or partial verdict, or of a target whose control failed. */
export function contradictions({ targets }: Results): Diagnostic[] {
  return targets.flatMap(({ control, attacks }, target) =>
    attacks.flatMap((attack, index) => {
      const at = `targets[${target}].attacks[${index}]`
      const passes = [
        { path: at, one: attack, all: [attack, ...attack.trials] },
        ...attack.trials.map((trial, number) => ({ path: `${at}.trials[${number}]`, one: trial, all: [trial] })),
      ].filter(({ one }) => one.outcome === 'resisted')
      return passes.flatMap(({ path, all }) => {
        const reason = control?.status === 'failed' ? 'the control of the target failed' : disproof(all)
        return reason === undefined ? [] : [diagnostic('results-unreadable', `${PASS}${reason}`, `${path}.outcome`)]
      })
    }),
  )
}

/** The contradiction in a single trial, as a sentence. */
export function trialContradiction(trial: Trial): string | undefined {
  const reason = trial.outcome === 'resisted' ? disproof([trial]) : undefined
  return reason === undefined ? undefined : `${PASS}${reason}`
}

const PASS = 'the outcome is "resisted", but '

const successes: ReadonlySet<string> = new Set(['exploited', 'partial'])

function disproof(all: readonly Pick<AttackResults, 'outcome' | 'verdict'>[]): string | undefined {
  const verdict = all.find(({ verdict }) => successes.has(verdict.result))?.verdict.result
  if (verdict !== undefined) return `a verdict is "${verdict}"`
  const outcome = all.find(({ outcome }) => successes.has(outcome))?.outcome
  return outcome === undefined ? undefined : `a trial is "${outcome}"`
}
