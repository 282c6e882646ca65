/** Checks the shape of an answer, because a model of a host may deviate from the interface version that it declares. */
import { isList, isRecord } from '@joust/source'
import type { ModelAnswer } from '../model/language-model.ts'

/**
 * Throws a `TypeError` for an answer of the wrong shape, which would otherwise be taken for one without token usage.
 */
export function requireAnswer(answer: unknown): asserts answer is ModelAnswer {
  const { content, finishReason, usage }: Partial<Record<string, unknown>> = isRecord(answer) ? answer : {}
  const hasUsage = isRecord(usage) && isRecord(usage.inputTokens) && isRecord(usage.outputTokens)
  const fault = isList(content)
    ? isRecord(finishReason)
      ? hasUsage
        ? undefined
        : 'usage'
      : 'finishReason'
    : 'content'
  if (fault === undefined) return
  throw new TypeError(
    `the answer has no valid ${fault}; the model must follow version v3 or v4 of the provider interface`,
  )
}
