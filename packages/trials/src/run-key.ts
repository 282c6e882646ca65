/** Keys that identify runs. */

/** The variants of a run: the document as written, without its bait, and as written but with an obedient model. */
export const arms = ['attack', 'placebo', 'sensitivity'] as const

export type Arm = (typeof arms)[number]

/** The properties that identify a run. */
export interface RunKey {
  /** Name of the campaign in a shared ledger; empty for a single suite. */
  readonly campaign: string
  readonly target: string
  /** Name of the attack. */
  readonly file: string
  readonly arm: Arm
  /** Number of the trial in its arm, from 1. */
  readonly trial: number
  /** Fingerprint of the document. A changed document means a different run. */
  readonly fingerprint: string
}

/** The properties that identify a run in the suite of one target. */
export type SuiteRunKey = Omit<RunKey, 'campaign' | 'target'>

export function keyText({ campaign, target, file, arm, trial, fingerprint }: RunKey): string {
  return JSON.stringify([campaign, target, file, arm, trial, fingerprint])
}

/**
 * Lists the runs of a suite. All first trials come before all second trials, so that a stopped suite covers as many
 * attacks as possible.
 */
export function* plannedRuns(
  suite: { readonly campaign: string; readonly targets: readonly string[]; readonly trials: number },
  attacks: readonly Pick<RunKey, 'file' | 'fingerprint'>[],
  arm: Arm = 'attack',
): Generator<RunKey, void, void> {
  const { campaign, targets, trials } = suite
  for (let trial = 1; trial <= trials; trial++)
    for (const { file, fingerprint } of attacks)
      for (const target of targets) yield { campaign, target, file, arm, trial, fingerprint }
}

/** Returns the part of a trace name that identifies the arm of a run; empty for the attack itself. */
export function armSuffix(arm: Arm): string {
  return arm === 'attack' ? '' : `.${arm}`
}
