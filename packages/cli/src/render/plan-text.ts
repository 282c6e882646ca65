/** Formats the plan of a suite. */
import { questionOf } from '@joust/results'
import { count } from '@joust/source'
import type { Arm, TrialPlan } from '@joust/trials'

/** Formats the number of trials, such as `5 trials` or `up to 25 trials until asr<15% is decided`. */
export function trialsText(trials: TrialPlan['trials']): string {
  if (typeof trials === 'number') return count(trials, 'trial')
  return `up to ${trials.most} trials until ${questionOf(trials.limit)} is decided`
}

/** Adds a note on the arm, such as the placebo, to the name of an attack. */
export function withArm(name: string, arm: Arm): string {
  return `${name}${armNotes[arm]}`
}

const armNotes: { readonly [arm in Arm]: string } = {
  attack: '',
  placebo: ', without the bait',
  sensitivity: ', with sim/credulous as the model',
}
