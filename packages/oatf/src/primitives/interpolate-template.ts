import { type Diagnostic, own, type Value, valueToText } from '@joust/source'
import type { EvaluationError } from '../model/errors.ts'
import { resolveSimplePath } from './resolve-simple-path.ts'
import { splitTemplate } from './template.ts'

/** Captured values by name: `name` of the current actor, `actor.name` of any. */
export type ExtractorValues = { readonly [name: string]: string } | ReadonlyMap<string, string>

/** Fills the `{{references}}` of a template (SDK §5.5). What a reference brings in is never expanded again. */
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
    const found = lookUp(part.name, extractors, request, response)
    if (typeof found === 'string') value += found
    else diagnostics.push(undefinedReference(part.name, found.reason))
  }
  return { value, diagnostics }
}

/** Whether a string would change under interpolation. */
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
    if (message === undefined) return { reason: `there is no ${prefix.slice(0, -1)} here` }
    let reason = 'the path does not resolve'
    const onError = (error: EvaluationError): void => {
      reason = error.message
    }
    const found = resolveSimplePath(name.slice(prefix.length), message, { onError })
    if (found === undefined) return { reason }
    const text = valueToText(found, 'document')
    return text.ok ? text.value : { reason: text.error.message }
  }
  return { reason: 'no such extractor has a value' }
}

function extractorValue(name: string, extractors: ExtractorValues): string | undefined {
  const value: unknown = isMap(extractors) ? extractors.get(name) : own(extractors, name)
  return typeof value === 'string' ? value : undefined
}

function isMap(extractors: ExtractorValues): extractors is ReadonlyMap<string, string> {
  // A map may be of another realm; the values of a plain object are texts.
  return typeof extractors.get === 'function'
}

function undefinedReference(name: string, reason: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'W-004',
    spec_ref: '§5.6',
    message: `{{${name}}} is empty: ${reason}`,
  }
}
