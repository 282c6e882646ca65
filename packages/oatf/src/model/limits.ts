/** The limits of this package. Limits on expressions are in `@joust/source` and can be set per call. */
import type { Limits } from '@joust/source'

export const oatfLimits = {
  /** Maximum number of actors, phases or indicators that lint examines, because some rules compare all pairs. */
  lintParts: 1000,
  /** Maximum number of nodes in a document that lint examines. No text that `parse` accepts has more. */
  lintNodes: 1_000_000,
  /** Maximum number of attacker messages that lint examines. */
  lintPayloads: 1000,
  /** Maximum number of paths for which lint suggests a correction. Each is compared with all protocol paths. */
  lintGuesses: 200,
  /** Maximum number of evaluations per lint rule, because a document may require any number. */
  lintEvaluations: 500,
  /** Maximum `regexWork` in lint. Messages in a document are short, and lint must be fast. */
  lintRegexWork: 2_000_000,
  /** Maximum `celSteps` in lint. */
  lintCelSteps: 10_000,
  /** Maximum `celMilliseconds` in lint. */
  lintCelMilliseconds: 20,
  /** Maximum number of responses that side messages are copied into when a dialect is translated. */
  dialectAnswers: 64,
  /** Maximum length of a value in a verdict, in characters. */
  evidence: 500,
  /** Maximum length of a model's text for `synthesize`, in characters. */
  synthesized: 65_536,
  /** Maximum length of a number that CEL parses, in characters. No number in range needs more. */
  celNumber: 400,
  /** Maximum number of message values that are searched for planted texts. Later values count as not sent. */
  exposureValues: 500_000,
  /** Maximum length of a regular expression that is examined to guess a bait, in characters. */
  guessedRegex: 4096,
  /** Maximum number of cached patterns per evaluator. */
  rememberedPatterns: 64,
  /** Maximum number of cached expressions per evaluator. */
  rememberedExpressions: 64,
} as const

export function lintLimits(limits: Limits): Limits {
  return {
    ...limits,
    regexWork: Math.min(limits.regexWork, oatfLimits.lintRegexWork),
    celSteps: Math.min(limits.celSteps, oatfLimits.lintCelSteps),
    celMilliseconds: Math.min(limits.celMilliseconds, oatfLimits.lintCelMilliseconds),
  }
}
