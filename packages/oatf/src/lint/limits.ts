import type { Limits } from '@joust/source'

/** Actors, phases or indicators of a document that is looked at: some rules compare each with each. */
export const MOST_PARTS = 1000

/** Messages of the attacker that are looked at. */
export const MOST_PAYLOADS = 1000

/** Paths for which another one is looked up: each is compared with all that a protocol has. */
export const MOST_GUESSES = 200

/** Evaluations that one rule may ask for: a document decides how many there are. */
export const MOST_EVALUATIONS = 500

/** The bounds of an evaluation. A message of the document itself is short, and nobody wants to wait for advice. */
export function lintLimits(limits: Limits): Limits {
  return {
    ...limits,
    regexWork: Math.min(limits.regexWork, 2_000_000),
    celSteps: Math.min(limits.celSteps, 10_000),
    celMilliseconds: Math.min(limits.celMilliseconds, 20),
  }
}
