/** The placebo and the decision of an attack in words. */
import type { PlaceboControl } from '../model/controls.ts'
import type { ResultDecision } from '../model/results.ts'

/** `with bait 4 of 5, without 0 of 5: +80 points (19 to 96)`, or the reason why there is no comparison. */
export function placeboText({ fell, of, with_bait, effect, skipped }: PlaceboControl): string {
  if (skipped !== undefined) return `not compared with runs without the bait: ${skipped}`
  const rates = `with bait ${with_bait?.fell ?? 0} of ${with_bait?.of ?? 0}, without ${fell} of ${of}`
  if (effect === undefined) return rates
  const { difference, low, high } = effect
  return `${rates}: ${difference > 0 ? '+' : ''}${points(difference)} points (${points(low)} to ${points(high)})`
}

function points(share: number): number {
  // No negative zero.
  return Math.round(share * 100) + 0
}

/** `asr<15%: undecided after 25 trials; 9 more without a success would decide` */
export function decisionText({ question, answer, trials, more }: ResultDecision): string {
  const after = `${question}: ${answer} after ${trials} conclusive ${trials === 1 ? 'trial' : 'trials'}`
  return answer === 'undecided' ? `${after}; ${more} more without a success would decide` : after
}
