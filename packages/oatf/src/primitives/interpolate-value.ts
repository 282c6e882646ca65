import { type Diagnostic, mapScalars, type Value } from '@joust/source'
import { type ExtractorValues, hasTemplate, interpolateTemplate } from './interpolate-template.ts'

/**
 * Interpolates all strings in a value ([OATF SDK §5.5a](https://oatf.io/sdk/execution-primitives/)), except keys.
 * Iterative.
 *
 * @example
 * const { value } = interpolateValue({ text: 'Order {{id}}' }, { id: 'B-04' })
 */
export function interpolateValue(
  value: Value,
  extractors: ExtractorValues,
  request?: Value,
  response?: Value,
): { value: Value; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const fill = (text: string): string => {
    if (!hasTemplate(text)) return text
    const result = interpolateTemplate(text, extractors, request, response)
    for (const diagnostic of result.diagnostics) diagnostics.push(diagnostic)
    return result.value
  }
  // Breadth-first, so that the diagnostics of each level are in document order.
  const filled = mapScalars(value, (scalar) => (typeof scalar === 'string' ? fill(scalar) : scalar))
  return { value: filled, diagnostics }
}
