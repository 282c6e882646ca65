import { compileRegex, isRecord, type Limits, type Value, valueToText, withLimits } from '@joust/source'
import { firstJsonPathMatch } from '../adapters/json-path.ts'
import type { Extractor } from '../model/document.ts'
import type { ExtractorSource } from '../model/enumerations.ts'
import type { EvaluationError } from '../model/errors.ts'
import type { PrimitiveOptions } from '../model/evaluators.ts'

/**
 * Returns the value that an extractor captures from a message ([OATF SDK
 * §5.6](https://oatf.io/sdk/execution-primitives/)): a string unchanged, any other value as compact JSON in document
 * order. Returns undefined if nothing matches or the direction differs. An empty string is a captured value.
 *
 * @example
 * const extractor = { name: 'id', source: 'request', type: 'json_path', selector: '$.arguments.id' } as const
 * const id = evaluateExtractor(extractor, { arguments: { id: 'B-04' } }, 'request')
 */
export function evaluateExtractor(
  extractor: Extractor,
  message: Value,
  direction: ExtractorSource,
  options: PrimitiveOptions = {},
): string | undefined {
  if (!isRecord(extractor) || extractor.source !== direction || typeof extractor.selector !== 'string') return undefined
  const limits = withLimits(options.limits)
  const onError = (error: EvaluationError): undefined => {
    options.onError?.(error)
    return undefined
  }
  if (extractor.type === 'json_path') return captureByPath(extractor.selector, message, limits, onError)
  return extractor.type === 'regex' ? captureByRegex(extractor.selector, message, limits, onError) : undefined
}

type OnError = (error: EvaluationError) => undefined

function captureByPath(selector: string, message: Value, limits: Limits, onError: OnError): string | undefined {
  const match = firstJsonPathMatch(selector, message, limits)
  if (!match.ok) return onError(match.error)
  return match.value === undefined ? undefined : asText(match.value, limits, onError)
}

function captureByRegex(selector: string, message: Value, limits: Limits, onError: OnError): string | undefined {
  const regex = compileRegex(selector, limits)
  if (!regex.ok) {
    const { message: reason, limit } = regex.error
    if (limit === undefined) return onError({ kind: 'type_error', message: reason })
    return onError({ kind: 'regex_timeout', message: reason, limit: limit.limit })
  }
  const text = asText(message, limits, onError)
  if (text === undefined) return undefined
  const captured = regex.value.capture(text)
  if (captured.ok) return captured.value
  return onError({ kind: 'regex_timeout', message: captured.error.message, limit: captured.error.limit })
}

function asText(value: Value, limits: Limits, onError: OnError): string | undefined {
  const text = valueToText(value, 'document', limits)
  if (text.ok) return text.value
  return onError({ kind: 'type_error', message: text.error.message, limit: text.error.limit })
}
