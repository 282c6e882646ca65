/** Merges redacted results. Only redacted results, numbers and fixed messages are added. */
import { invariant } from '@joust/source'
import { attackAssessment } from './model/outcome-order.ts'
import type { Redacted } from './model/redacted.ts'
import type { ResultSearch, Results, TargetResults, Trial } from './model/results.ts'
import { isUnproven, provenTrial } from './model/unproven.ts'
import { withCosts } from './statistics/summary.ts'

export interface ResultsPart {
  readonly results: Redacted<Results>
  /** Folder with the traces, relative to the merged results. */
  readonly under: string
}

/** Merges the results of one suite on several targets. The fields of `whole` take precedence. */
export function joinResults(
  parts: readonly ResultsPart[],
  whole: Partial<Pick<Results, 'started_at' | 'finished_at' | 'suite' | 'stopped'>> = {},
): Redacted<Results> {
  const all = parts.map(({ results }) => results)
  const [first] = all
  invariant(first !== undefined, 'at least one part to join')
  const sorted = (key: 'started_at' | 'finished_at') => all.map((one) => one[key]).toSorted()
  const stopped = all.find((one) => one.stopped !== undefined)?.stopped
  const joined: Results = {
    ...first,
    started_at: sorted('started_at')[0] ?? first.started_at,
    finished_at: sorted('finished_at').at(-1) ?? first.finished_at,
    ...(stopped === undefined ? {} : { stopped }),
    ...whole,
    targets: provenTogether(
      parts.flatMap(({ results, under }) => results.targets.map((target) => moved(target, under))),
    ),
  }
  return joined as Redacted<Results>
}

/** Reassesses unproven attacks: an attack that exploited one target is proven for all targets. */
function provenTogether(targets: readonly TargetResults[]): readonly TargetResults[] {
  const attacks = targets.flatMap((target) => target.attacks)
  const proven = new Set(attacks.filter(({ outcome }) => outcome === 'exploited').map(({ fingerprint }) => fingerprint))
  return targets.map((target) => ({
    ...target,
    attacks: target.attacks.map((attack) => {
      if (!proven.has(attack.fingerprint) || !attack.trials.some(isUnproven)) return attack
      const trials = attack.trials.map(provenTrial)
      return { ...attack, ...(isUnproven(attack) && attackAssessment(trials)), trials }
    }),
  }))
}

/** Merges the results of several suites on one target, with their attacks in order. */
export function gatherResults(parts: readonly ResultsPart[], fingerprint: string): Redacted<Results> {
  const { targets, suite, ...rest } = joinResults(parts)
  const [first] = targets
  invariant(first !== undefined, 'a suite has a target')
  const attacks = targets.flatMap((target) => target.attacks)
  const gathered: Results = { ...rest, suite: { ...suite, fingerprint }, targets: [withCosts({ ...first, attacks })] }
  return gathered as Redacted<Results>
}

/** Merges new results for some targets into earlier results. Other targets remain unchanged. */
export function amongEarlier(now: Redacted<Results>, earlier: Redacted<Results> | undefined): Redacted<Results> {
  if (earlier === undefined) return now
  const updateOf = (name: string) => now.targets.find((target) => target.name === name)
  const added = now.targets.filter(({ name }) => !earlier.targets.some((target) => target.name === name))
  const unchanged = earlier.targets.filter(({ name }) => updateOf(name) === undefined)
  const isIncomplete = unchanged.some(({ attacks }) => attacks.some(({ trials }) => trials.length === 0))
  const { stopped = isIncomplete ? earlier.stopped : undefined, ...rest } = now
  const targets = [...earlier.targets.map((target) => updateOf(target.name) ?? target), ...added]
  const merged: Results = { ...rest, ...(stopped && { stopped }), started_at: earlier.started_at, targets }
  return merged as Redacted<Results>
}

/** Adds the result of a search to all targets. */
export function withSearch(results: Redacted<Results>, search: ResultSearch): Redacted<Results> {
  const searched: Results = { ...results, targets: results.targets.map((target) => ({ ...target, search })) }
  return searched as Redacted<Results>
}

/** Adds the reason why a suite ended early. */
export function withStop(
  results: Redacted<Results>,
  reason: NonNullable<Results['stopped']>['reason'],
  message: string,
): Redacted<Results> {
  const stopped: Results = { ...results, stopped: { reason, message } }
  return stopped as Redacted<Results>
}

/** Replaces the trace path. An empty path means no trace. */
export function withTrace(trial: Redacted<Trial>, trace: string): Redacted<Trial> {
  const copy: Trial = { ...trial, trace }
  return copy as Redacted<Trial>
}

function moved(target: TargetResults, under: string): TargetResults {
  const move = (trial: Trial) =>
    trial.trace === '' || under === '' ? trial : { ...trial, trace: `${under}/${trial.trace}` }
  const attacks = target.attacks.map(({ placebo_trials: placebo, ...attack }) => {
    return { ...attack, trials: attack.trials.map(move), ...(placebo && { placebo_trials: placebo.map(move) }) }
  })
  return { ...target, attacks }
}
