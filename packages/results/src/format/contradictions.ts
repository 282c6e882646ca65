/** Contradictions in results files, which may come from untrusted sources. A disproved pass must not reach a report. */
import { type Diagnostic, describeValue } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import type { AttackResults, Results, Trial } from '../model/results.ts'

/** Reports each `resisted` with an exploited or partial verdict, or with a failed preflight. */
export function contradictions({ targets }: Results): Diagnostic[] {
  return targets.flatMap(({ preflight, attacks }, target) =>
    attacks.flatMap((attack, index) => {
      const at = `targets[${target}].attacks[${index}]`
      const passes = [
        { path: at, one: attack, all: [attack, ...attack.trials] },
        ...attack.trials.map((trial, number) => ({ path: `${at}.trials[${number}]`, one: trial, all: [trial] })),
      ].filter(({ one }) => one.outcome === 'resisted')
      return passes.flatMap(({ path, all }) => {
        const reason = preflight?.status === 'failed' ? 'the preflight failed' : disproof(all)
        return reason === undefined ? [] : [diagnostic('results-unreadable', `${PASS}${reason}`, `${path}.outcome`)]
      })
    }),
  )
}

/**
 * Reports duplicate file names within a target: comparisons use them as keys. Names with redacted secrets may be equal
 * by chance.
 */
export function repeatedNames({ targets }: Results): Diagnostic[] {
  return targets.flatMap(({ attacks }, target) => {
    const names = new Set<string>()
    return attacks.flatMap(({ file }, index) => {
      const isRepeated = names.has(file) && !HIDDEN.test(file)
      names.add(file)
      const message = `duplicate attack: the target already has results for ${describeValue(file)}`
      return isRepeated ? [diagnostic('results-unreadable', message, `targets[${target}].attacks[${index}].file`)] : []
    })
  })
}

/** The mark of a redacted secret, as written by `markOf`. */
const HIDDEN = /\[redacted: [^\]]+\]/

/** Returns the contradiction in a single trial as a message. */
export function trialContradiction(trial: Trial): string | undefined {
  const reason = trial.outcome === 'resisted' ? disproof([trial]) : undefined
  return reason === undefined ? undefined : `${PASS}${reason}`
}

const PASS = 'outcome "resisted" contradicts other fields: '

const successes: ReadonlySet<string> = new Set(['exploited', 'partial'])

function disproof(all: readonly Pick<AttackResults, 'outcome' | 'verdict'>[]): string | undefined {
  const verdict = all.find(({ verdict }) => successes.has(verdict.result))?.verdict.result
  if (verdict !== undefined) return `a verdict is "${verdict}"`
  const outcome = all.find(({ outcome }) => successes.has(outcome))?.outcome
  return outcome === undefined ? undefined : `the outcome of a trial is "${outcome}"`
}
