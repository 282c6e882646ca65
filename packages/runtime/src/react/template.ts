/** The prompt that an input becomes (OPEN-48.6): `{{name}}` and `{{name.sub}}`, no sections, no escaping. */
import { isRecord, own, type Value, valueToText } from '@joust/source'

/** A filled template, and the names it had no value for. */
interface RenderedPrompt {
  readonly text: string
  readonly missing: readonly string[]
}

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*\}\}/g

/** Fills a template; without one, a string stands for itself and anything else for its JSON. */
export function renderPrompt(template: string | undefined, input: Value): RenderedPrompt {
  if (template === undefined) return { text: textOf(input), missing: [] }
  const missing: string[] = []
  const text = template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = lookUp(name, input)
    if (value === undefined) missing.push(name)
    return value === undefined ? '' : textOf(value)
  })
  return { text, missing }
}

/** A root that is not an object has the name `input`. */
function lookUp(name: string, input: Value): Value | undefined {
  let value: Value | undefined = isRecord(input) ? input : { input }
  for (const segment of name.split('.')) {
    if (!isRecord(value)) return undefined
    value = own(value, segment)
  }
  return value
}

function textOf(value: Value): string {
  const text = valueToText(value, 'document')
  return text.ok ? text.value : '[nested too deeply to show]'
}
