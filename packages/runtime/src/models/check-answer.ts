/** Checks the form of an answer: a model of a host may claim a version of the provider interface that it does not follow. */
import { isList, isRecord } from '@joust/source'
import type { ModelAnswer } from '../model/language-model.ts'

/** Throws a `TypeError` for an answer of another form, which would be read as one without token usage. */
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
