/** Checks the shape of an answer, because a host's model may not match its declared interface version. */
import { isList, isRecord } from '@joust/source'
import type { ModelAnswer } from '../model/language-model.ts'

/** Throws a `TypeError` for an invalid answer, which would otherwise be treated as one without token usage. */
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
