import type { Template } from './templates.ts'

/** The distinct names between the braces of a template, in order. */
export function referencesOf(template: Template): Set<string> {
  return new Set(template.parts.flatMap((part) => (part.kind === 'reference' ? [part.name] : [])))
}

const CROSS_ACTOR = /^([a-zA-Z_][a-zA-Z0-9_]*)\.([a-zA-Z_][a-zA-Z0-9_]*)$/

/** The two names of an `actor.extractor` reference (§5.6); undefined for any other, `request.field` included. */
export function crossActorReference(reference: string): { actor: string; extractor: string } | undefined {
  if (isMessageReference(reference)) return undefined
  const [, actor, extractor] = CROSS_ACTOR.exec(reference) ?? []
  return actor === undefined || extractor === undefined ? undefined : { actor, extractor }
}

/** Whether a reference reads the message at hand, which only a run can resolve. */
export function isMessageReference(reference: string): boolean {
  return reference.startsWith('request.') || reference.startsWith('response.')
}
