import { isList, type Path, type Value } from '@joust/source'
import { splitTemplate, type TemplatePart } from '../primitives/template.ts'

/** A string that contains `{{`, and its path. */
export interface Template {
  readonly path: Path
  readonly parts: readonly TemplatePart[]
}

interface Step {
  readonly value: Value
  readonly key: string | number
  readonly above: Step | undefined
}

/**
 * Finds all templates in a value, except in keys ([OATF §5.6](https://oatf.io/specification/execution-profile/)).
 * Iterative and visits each object once, so that neither the depth of a value nor cycles in it cause problems.
 */
export function findTemplates(value: Value, path: Path): Template[] {
  const templates: Template[] = []
  const entered = new Set<object>()
  const pending: Step[] = []
  const inspect = (child: Value, key: string | number, above: Step | undefined): void => {
    if (typeof child === 'string' ? child.includes('{{') : typeof child === 'object' && child !== null)
      pending.push({ value: child, key, above })
  }
  inspect(value, '', undefined)
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const current = step
    if (typeof current.value === 'string') {
      templates.push({ path: [...path, ...keysOf(current)], parts: splitTemplate(current.value) })
    } else if (typeof current.value === 'object' && current.value !== null && !entered.has(current.value)) {
      entered.add(current.value)
      if (isList(current.value)) current.value.forEach((item, index) => void inspect(item, index, current))
      else for (const key of Object.keys(current.value)) inspect(current.value[key] ?? null, key, current)
    }
  }
  return templates
}

function keysOf(step: Step): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at: Step = step; at.above !== undefined; at = at.above) keys.push(at.key)
  return keys.reverse()
}

/** Returns the distinct references in a template, in order. */
export function referencesOf(template: Template): Set<string> {
  return new Set(template.parts.flatMap((part) => (part.kind === 'reference' ? [part.name] : [])))
}

const CROSS_ACTOR = /^([a-zA-Z_][a-zA-Z0-9_]*)\.([a-zA-Z_][a-zA-Z0-9_]*)$/

/**
 * Returns the two names in an `actor.extractor` reference (OATF §5.6); undefined for any other reference, including
 * `request.field`.
 */
export function crossActorReference(reference: string): { actor: string; extractor: string } | undefined {
  if (isMessageReference(reference)) return undefined
  const [, actor, extractor] = CROSS_ACTOR.exec(reference) ?? []
  return actor === undefined || extractor === undefined ? undefined : { actor, extractor }
}

/** True for a reference to the current message, which only a run can resolve. */
export function isMessageReference(reference: string): boolean {
  return reference.startsWith('request.') || reference.startsWith('response.')
}
