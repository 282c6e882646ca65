import { type Diagnostic, mapScalars, type Value } from '@joust/source'
import { type ExtractorValues, hasTemplate, interpolateTemplate } from './interpolate-template.ts'

/** Fills the templates in every string of a value (SDK §5.5a); keys and other scalars stay. Iterative. */
export function interpolateValue(
  value: Value,
  extractors: ExtractorValues,
  request?: Value,
  response?: Value,
): { value: Value; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const fill = (text: string): string => {
    if (!hasTemplate(text)) return text
    const made = interpolateTemplate(text, extractors, request, response)
    for (const diagnostic of made.diagnostics) diagnostics.push(diagnostic)
    return made.value
  }
  // Level by level, so that the diagnostics of a level are in the order of the document.
  const filled = mapScalars(value, (scalar) => (typeof scalar === 'string' ? fill(scalar) : scalar))
  return { value: filled, diagnostics }
}
