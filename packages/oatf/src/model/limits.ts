/** The limits of this package. Those of expressions are in `@joust/source` and can be set per call. */
import type { Limits } from '@joust/source'

export const oatfLimits = {
  /** Actors, phases or indicators of a document that lint examines: some rules compare all pairs. */
  lintParts: 1000,
  /** Nodes of a document that lint examines; no text that `parse` accepts has so many. */
  lintNodes: 1_000_000,
  /** Messages from the attacker that lint examines. */
  lintPayloads: 1000,
  /** Paths for which lint suggests another one; each is compared with all paths of a protocol. */
  lintGuesses: 200,
  /** Evaluations per lint rule, since a document may require any number. */
  lintEvaluations: 500,
  /** `regexWork` for lint: messages in a document are short, and advice must be fast. */
  lintRegexWork: 2_000_000,
  /** `celSteps` for lint. */
  lintCelSteps: 10_000,
  /** `celMilliseconds` for lint. */
  lintCelMilliseconds: 20,
  /** Answers that side messages are copied into when a dialect is translated. */
  dialectAnswers: 64,
  /** Characters of a value that a verdict keeps. */
  evidence: 500,
  /** Characters of a text that a model writes for `synthesize`. */
  synthesized: 65_536,
  /** Characters of a number that CEL reads from a text: no number that fits needs more. */
  celNumber: 400,
  /** Values of a message that are searched for planted texts; later ones count as not sent. */
  exposureValues: 500_000,
  /** Characters of a regular expression that are examined to guess a bait. */
  guessedRegex: 4096,
  /** Patterns in the cache of an evaluator. */
  rememberedPatterns: 64,
  /** Expressions in the cache of an evaluator. */
  rememberedExpressions: 64,
} as const

/** The limits of an evaluation by lint. */
export function lintLimits(limits: Limits): Limits {
  return {
    ...limits,
    regexWork: Math.min(limits.regexWork, oatfLimits.lintRegexWork),
    celSteps: Math.min(limits.celSteps, oatfLimits.lintCelSteps),
    celMilliseconds: Math.min(limits.celMilliseconds, oatfLimits.lintCelMilliseconds),
  }
}
