import { type Diagnostic, own, type Value, valueToText } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import { resolveSimplePath } from './resolve-simple-path.ts'
import { splitTemplate } from './template.ts'

/** Captured values: by `name` for the current actor, by `actor.name` for any actor. */
export type ExtractorValues = { readonly [name: string]: string } | ReadonlyMap<string, string>

/**
 * Replaces the `{{references}}` in a template ([OATF SDK §5.5](https://oatf.io/sdk/execution-primitives/)). Inserted
 * values are not expanded again.
 *
 * @example
 * const { value, diagnostics } = interpolateTemplate('Order {{id}}', { id: 'B-04' })
 */
export function interpolateTemplate(
  template: string,
  extractors: ExtractorValues,
  request?: Value,
  response?: Value,
): { value: string; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  let value = ''
  for (const part of splitTemplate(template)) {
    if (part.kind !== 'reference') {
      value += part.text
      continue
    }
    const lookup = lookUp(part.name, extractors, request, response)
    if (typeof lookup === 'string') value += lookup
    else {
      const message = `{{${part.name}}} is empty: ${lookup.reason}`
      diagnostics.push({ severity: 'warning', code: 'W-004', spec_ref: '§5.6', message })
    }
  }
  return { value, diagnostics }
}

export function hasTemplate(text: string): boolean {
  return text.includes('{{')
}

function lookUp(
  name: string,
  extractors: ExtractorValues,
  request: Value | undefined,
  response: Value | undefined,
): string | { reason: string } {
  const captured = extractorValue(name, extractors)
  if (captured !== undefined) return captured
  for (const [prefix, message] of [
    ['request.', request],
    ['response.', response],
  ] as const) {
    if (!name.startsWith(prefix)) continue
    if (message === undefined) return { reason: `missing ${prefix.slice(0, -1)}` }
    let reason = 'the path does not resolve'
    const onError = (error: EvaluationError): void => {
      reason = error.message
    }
    const value = resolveSimplePath(name.slice(prefix.length), message, { onError })
    if (value === undefined) return { reason }
    const text = valueToText(value, 'document')
    return text.ok ? text.value : { reason: text.error.message }
  }
  return { reason: 'no extractor of this name has a value' }
}

function extractorValue(name: string, extractors: ExtractorValues): string | undefined {
  const value: unknown = isMap(extractors) ? extractors.get(name) : own(extractors, name)
  return typeof value === 'string' ? value : undefined
}

function isMap(extractors: ExtractorValues): extractors is ReadonlyMap<string, string> {
  // A map may be from another realm. A plain object only has string values.
  return typeof extractors.get === 'function'
}
