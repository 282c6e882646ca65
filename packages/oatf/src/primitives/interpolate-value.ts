import { type Diagnostic, isRecord, setOwn, type Value } from '@joust/source'
import { type ExtractorValues, hasTemplate, interpolateTemplate } from './interpolate-template.ts'

/** Fills the templates in every string of a value (SDK §5.5a); keys and other scalars stay. Loops rather than recurses. */
export function interpolateValue(
  value: Value,
  extractors: ExtractorValues,
  request?: Value,
  response?: Value,
): { value: Value; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const fill = (text: string): string => {
    if (!hasTemplate(text)) return text
    const filled = interpolateTemplate(text, extractors, request, response)
    for (const diagnostic of filled.diagnostics) diagnostics.push(diagnostic)
    return filled.value
  }
  const root: { value: Value } = { value: null }
  const pending: { from: Value; into: object; key: string }[] = [{ from: value, into: root, key: 'value' }]
  // First in, first out keeps diagnostics in document order per level; a queue by index avoids shifting.
  for (let next = 0; next < pending.length; next++) {
    const { from, into, key } = pending[next] as (typeof pending)[number]
    if (typeof from === 'string') setOwn(into, key, fill(from))
    else if (Array.isArray(from) || isRecord(from)) {
      const copy: object = Array.isArray(from) ? [] : {}
      setOwn(into, key, copy)
      for (const [name, child] of Object.entries(from)) {
        setOwn(copy, name, child)
        pending.push({ from: child, into: copy, key: name })
      }
    } else setOwn(into, key, from)
  }
  return { value: root.value, diagnostics }
}
