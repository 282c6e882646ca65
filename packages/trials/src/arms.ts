/** The arms of the attacks in a suite: documents, current results and missing runs. */

import { type LoadedAttack, placeboOf } from '@joust/oatf'
import type { Redacted, Trial } from '@joust/results'
import { invariant } from '@joust/source'
import type { SuiteAttack } from './options.ts'
import { type TrialPlan, wantedRuns, wantedTrials } from './plan.ts'
import type { Arm, RunKey } from './run-key.ts'

export interface AttackArms {
  readonly trials: readonly Redacted<Trial>[]
  readonly placebo: readonly Redacted<Trial>[]
  /** Trials with an obedient model in place of the agent's own. */
  readonly sensitivity: readonly Redacted<Trial>[]
  /** The reason why a planned placebo cannot be run. */
  readonly skipped?: string
}

export interface Arms {
  attackOf(file: string, arm: Arm): LoadedAttack
  add(run: Pick<RunKey, 'file' | 'arm'>, trial: Redacted<Trial>): void
  /** Returns the runs that the plan requires given the results so far, including finished runs. */
  wanted(file: string): RunKey[]
  resultsOf(file: string): AttackArms
}

interface ArmsOptions {
  readonly target: string
  /** @default false */
  readonly strict?: boolean | undefined
}

export function createArms(attacks: readonly SuiteAttack[], plan: TrialPlan, { target, strict }: ArmsOptions): Arms {
  const all = new Map(attacks.map(({ file, attack }) => [file, armsOf(attack, strict)]))
  const of = (file: string) => {
    const arms = all.get(file)
    invariant(arms !== undefined, 'the suite contains the attack of every run')
    return arms
  }
  const needsPlacebo = (file: string) => wantedTrials(plan, of(file).done).placebo > 0
  return {
    attackOf(file, arm) {
      const { attack, placebo } = of(file)
      if (arm !== 'placebo') return attack
      const placeboAttack = placebo()
      invariant(placeboAttack.ok, 'only placebos that can be created are run')
      return placeboAttack.value
    },
    add: ({ file, arm }, trial) => of(file).done[arm].push(trial),
    wanted(file) {
      const { attack, placebo, done } = of(file)
      const key = { campaign: '', target, file, fingerprint: attack.fingerprint }
      return wantedRuns(plan, key, done, () => placebo().ok)
    },
    resultsOf(file) {
      const { placebo, done } = of(file)
      const placeboAttack = needsPlacebo(file) ? placebo() : undefined
      const sorted = (arm: Arm) => done[arm].toSorted((a, b) => a.trial - b.trial)
      return {
        trials: sorted('attack'),
        placebo: sorted('placebo'),
        sensitivity: sorted('sensitivity'),
        ...(placeboAttack?.ok === false && { skipped: placeboAttack.error }),
      }
    },
  }
}

function armsOf(attack: LoadedAttack, strict: boolean | undefined) {
  let created: ReturnType<typeof placeboOf> | undefined
  const placebo = () => {
    created ??= placeboOf(attack, { strict })
    return created
  }
  const done: Record<Arm, Redacted<Trial>[]> = { attack: [], placebo: [], sensitivity: [] }
  return { attack, placebo, done }
}
