/** The examples of a semantic indicator, put to an evaluator (§11.4.8). */
import { type AsyncSemanticEvaluator, DEFAULT_THRESHOLD, type SemanticMatch } from '@joust/oatf'
import { isList } from '@joust/source'

/** Classifies one example after the other: undefined where the evaluator agrees with the document, else why not. */
export async function* classifyExamples(
  semantic: SemanticMatch,
  evaluator: AsyncSemanticEvaluator,
): AsyncGenerator<string | undefined, void, undefined> {
  const { intent, intent_class: intentClass, threshold, examples } = semantic
  const limit = threshold ?? DEFAULT_THRESHOLD
  for (const kind of ['positive', 'negative'] as const) {
    const texts: unknown = examples?.[kind]
    for (const [index, text] of (isList(texts) ? texts : []).entries()) {
      if (typeof text !== 'string') continue
      const answer = await evaluator.evaluate(text, intent, intentClass, threshold, examples ?? undefined)
      const named = `the ${kind} example ${index + 1} (${JSON.stringify(text.slice(0, 80))})`
      if (!answer.ok) yield `${named} could not be classified: ${answer.error.message}`
      else yield scoreFault(answer.value, limit, kind, named)
    }
  }
}

function scoreFault(score: unknown, limit: number, kind: 'positive' | 'negative', named: string): string | undefined {
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    return `the score ${score} for ${named} is not between 0 and 1`
  return score >= limit === (kind === 'positive')
    ? undefined
    : `${named} has the score ${score} against threshold ${limit}`
}
