/** Recombines redacted results. The brand stays: only redacted results, numbers and sentences of ours are added. */
import { invariant } from '@joust/source'
import type { Redacted } from '../model/redacted.ts'
import type { ResultSearch, Results, TargetResults, Trial } from './model.ts'

/** Results, and the folder of their traces relative to where the joined ones will be. */
export interface ResultsPart {
  readonly results: Redacted<Results>
  readonly under: string
}

/** A suite, run against one target after the other, as one file of results; `whole` is what holds for all of them. */
export function joinResults(
  parts: readonly ResultsPart[],
  whole: Partial<Pick<Results, 'started_at' | 'finished_at' | 'stopped'>> = {},
): Redacted<Results> {
  const all = parts.map(({ results }) => results)
  const [first] = all
  invariant(first !== undefined, 'there is something to join')
  const sorted = (key: 'started_at' | 'finished_at') => all.map((one) => one[key]).toSorted()
  const stopped = all.find((one) => one.stopped !== undefined)?.stopped
  const joined: Results = {
    ...first,
    started_at: sorted('started_at')[0] ?? first.started_at,
    finished_at: sorted('finished_at').at(-1) ?? first.finished_at,
    ...(stopped === undefined ? {} : { stopped }),
    ...whole,
    targets: parts.flatMap(({ results, under }) => results.targets.map((target) => moved(target, under))),
  }
  return joined as Redacted<Results>
}

/** Suites that were run one after the other against one target, as one: all their attacks, in order. */
export function gatherResults(parts: readonly ResultsPart[], fingerprint: string): Redacted<Results> {
  const { targets, suite, ...rest } = joinResults(parts)
  const [first] = targets
  invariant(first !== undefined, 'a suite has a target')
  const attacks = targets.flatMap((target) => target.attacks)
  const gathered: Results = { ...rest, suite: { ...suite, fingerprint }, targets: [{ ...first, attacks }] }
  return gathered as Redacted<Results>
}

/** Results of some targets put in their places among earlier ones: what was not continued stays as it was. */
export function amongEarlier(now: Redacted<Results>, earlier: Redacted<Results> | undefined): Redacted<Results> {
  if (earlier === undefined) return now
  const isNow = (name: string) => now.targets.find((target) => target.name === name)
  const added = now.targets.filter(({ name }) => !earlier.targets.some((target) => target.name === name))
  const kept = earlier.targets.filter(({ name }) => isNow(name) === undefined)
  const isOpen = kept.some(({ attacks }) => attacks.some(({ trials }) => trials.length === 0))
  const { stopped = isOpen ? earlier.stopped : undefined, ...rest } = now
  const targets = [...earlier.targets.map((target) => isNow(target.name) ?? target), ...added]
  const among: Results = { ...rest, ...(stopped && { stopped }), started_at: earlier.started_at, targets }
  return among as Redacted<Results>
}

/** Adds the outcome of a search: static or adaptive, how many tries, what cost. The attacker is not part of any run. */
export function withSearch(results: Redacted<Results>, search: ResultSearch): Redacted<Results> {
  const searched: Results = { ...results, targets: results.targets.map((target) => ({ ...target, search })) }
  return searched as Redacted<Results>
}

/** Results that were stopped, with the reason. */
export function withStop(
  results: Redacted<Results>,
  reason: NonNullable<Results['stopped']>['reason'],
  message: string,
): Redacted<Results> {
  const stopped: Results = { ...results, stopped: { reason, message } }
  return stopped as Redacted<Results>
}

/** A trial whose trace is elsewhere; nowhere, where the name is empty. */
export function withTrace(trial: Redacted<Trial>, trace: string): Redacted<Trial> {
  const placed: Trial = { ...trial, trace }
  return placed as Redacted<Trial>
}

function moved(target: TargetResults, under: string): TargetResults {
  const attacks = target.attacks.map((attack) => {
    const trials = attack.trials.map((trial) =>
      trial.trace === '' || under === '' ? trial : { ...trial, trace: `${under}/${trial.trace}` },
    )
    return { ...attack, trials }
  })
  return { ...target, attacks }
}
