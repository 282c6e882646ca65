/** Finds contradictions in `results.json`: passes that other fields disprove, and duplicate attacks. */
import { type Diagnostic, describeValue } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import type { AttackResults, TargetResults, Trial } from '../model/results.ts'

export interface Claims {
  readonly file: string
  /** Each `resisted` outcome, with its path relative to the attack, and the contradiction if there is one. */
  readonly passes: readonly { readonly path: string; readonly reason: string | undefined }[]
}

export function claimsOf({ file, trials, ...attack }: AttackResults): Claims {
  const passes = [
    { path: '', one: attack, all: [attack, ...trials] },
    ...trials.map((trial, number) => ({ path: `.trials[${number}]`, one: trial, all: [trial] })),
  ].filter(({ one }) => one.outcome === 'resisted')
  return { file, passes: passes.map(({ path, all }) => ({ path, reason: disproof(all) })) }
}

type ClaimingTargets = readonly (Pick<TargetResults, 'preflight'> & { readonly attacks: readonly Claims[] })[]

export function contradictions(targets: ClaimingTargets): Diagnostic[] {
  return [...disprovenPasses(targets), ...repeatedNames(targets)]
}

/** Reports each `resisted` outcome that a verdict or a failed preflight contradicts. */
function disprovenPasses(targets: ClaimingTargets): Diagnostic[] {
  return targets.flatMap(({ preflight, attacks }, target) =>
    attacks.flatMap(({ passes }, index) =>
      passes.flatMap(({ path, reason: own }) => {
        const reason = preflight?.status === 'failed' ? 'the preflight failed' : own
        const at = `targets[${target}].attacks[${index}]${path}.outcome`
        return reason === undefined ? [] : [diagnostic('results-unreadable', `${PASS}${reason}`, at)]
      }),
    ),
  )
}

/**
 * Reports duplicate file names within a target, because comparisons use them as keys. Names with redacted secrets are
 * excluded, because different names may become identical.
 */
function repeatedNames(targets: ClaimingTargets): Diagnostic[] {
  return targets.flatMap(({ attacks }, target) => {
    const names = new Set<string>()
    return attacks.flatMap(({ file }, index) => {
      const isRepeated = names.has(file) && !REDACTED.test(file)
      names.add(file)
      const message = `duplicate attack: the target already has results for ${describeValue(file)}`
      return isRepeated ? [diagnostic('results-unreadable', message, `targets[${target}].attacks[${index}].file`)] : []
    })
  })
}

/** A redacted secret, as written by `markOf`. */
const REDACTED = /\[redacted: [^\]]+\]/

/** Describes the contradiction in a trial; undefined if there is none. */
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
