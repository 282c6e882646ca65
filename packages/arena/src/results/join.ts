/** Several results as one. */
import { invariant } from '@joust/source'
import type { Redacted } from '../model/redacted.ts'
import type { Results, TargetResults } from './model.ts'

/** Results, and the folder of their traces as seen from where the joined ones will lie. */
export interface ResultsPart {
  readonly results: Redacted<Results>
  readonly under: string
}

/** One suite, run against one target after the other, as one file of results. */
export function joinResults(parts: readonly ResultsPart[]): Redacted<Results> {
  const all = parts.map(({ results }) => results)
  const [first] = all
  invariant(first !== undefined, 'there is something to join')
  const stopped = all.find((one) => one.stopped !== undefined)?.stopped
  const joined: Results = {
    ...first,
    started_at: all.map(({ started_at }) => started_at).toSorted()[0] ?? first.started_at,
    finished_at:
      all
        .map(({ finished_at }) => finished_at)
        .toSorted()
        .at(-1) ?? first.finished_at,
    ...(stopped === undefined ? {} : { stopped }),
    targets: parts.flatMap(({ results, under }) => results.targets.map((target) => moved(target, under))),
  }
  // Nothing but redacted results went in.
  return joined as Redacted<Results>
}

/** Suites that were run one after the other against one target, as one: all their attacks, in order. */
export function gatherResults(parts: readonly ResultsPart[], fingerprint: string): Redacted<Results> {
  const { targets, suite, ...rest } = joinResults(parts)
  const [first] = targets
  invariant(first !== undefined, 'a suite has a target')
  const attacks = targets.flatMap((target) => target.attacks)
  const gathered: Results = { ...rest, suite: { ...suite, fingerprint }, targets: [{ ...first, attacks }] }
  // Nothing but redacted results went in.
  return gathered as Redacted<Results>
}

function moved(target: TargetResults, under: string): TargetResults {
  const attacks = target.attacks.map((attack) => {
    const trials = attack.trials.map((trial) =>
      trial.trace === '' ? trial : { ...trial, trace: `${under}/${trial.trace}` },
    )
    return { ...attack, trials }
  })
  return { ...target, attacks }
}
