/** The limits of this package. Those of expressions are in `@joust/source` and can be set per call. */
import type { Limits } from '@joust/source'

export const oatfLimits = {
  /** Maximum number of actors, phases or indicators of a document that lint examines: some rules compare all pairs. */
  lintParts: 1000,
  /** Maximum number of nodes of a document that lint examines; no text that `parse` accepts has so many. */
  lintNodes: 1_000_000,
  /** Maximum number of messages from the attacker that lint examines. */
  lintPayloads: 1000,
  /** Maximum number of paths for which lint suggests another one; each is compared with all paths of a protocol. */
  lintGuesses: 200,
  /** Maximum number of evaluations per lint rule, since a document may require any number. */
  lintEvaluations: 500,
  /** Limit of `regexWork` in lint: messages in a document are short, and advice must be fast. */
  lintRegexWork: 2_000_000,
  /** Limit of `celSteps` in lint. */
  lintCelSteps: 10_000,
  /** Limit of `celMilliseconds` in lint. */
  lintCelMilliseconds: 20,
  /** Maximum number of answers that side messages are copied into when a dialect is translated. */
  dialectAnswers: 64,
  /** Maximum length of a value in a verdict, in characters. */
  evidence: 500,
  /** Maximum length of a text that a model writes for `synthesize`, in characters. */
  synthesized: 65_536,
  /** Maximum length of a number that CEL reads from a text, in characters: no number in range needs more. */
  celNumber: 400,
  /** Maximum number of values of a message that are searched for planted texts; later ones count as not sent. */
  exposureValues: 500_000,
  /** Maximum length of a regular expression that is examined to guess a bait, in characters. */
  guessedRegex: 4096,
  /** Maximum number of cached patterns of an evaluator. */
  rememberedPatterns: 64,
  /** Maximum number of cached expressions of an evaluator. */
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
