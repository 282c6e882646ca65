import { describeValue, formatPath, type Path, suggestions } from '@joust/source'
import { crossActorReference, referencesOf } from '../references.ts'
import type { Rule } from '../rule.ts'

/** `{{actor.extractor}}` names an actor of the document (V-032). */
export const actorReferences: Rule = (walk, report) => {
  const names = new Set(walk.actors.flatMap((actor) => actor.name ?? []))
  const hint = suggestions()
  for (const template of walk.templates) {
    for (const reference of referencesOf(template)) {
      const actor = crossActorReference(reference)?.actor
      if (actor === undefined || names.has(actor)) continue
      const message = `the reference ${describeValue(reference)} names an actor that is not in the document.`
      const near = hint(actor, names)
      const meant = near && `{{${near}${reference.slice(actor.length)}}}`
      report(template.path, message, { spelled: spell(template.path), meant, part: `{{${reference}}}` })
    }
  }
}

/** The official fixture names the content of a tool's response without its entry and envelope. */
function spell(path: Path): string {
  return formatPath(path).replace(/\.responses\[\d+\]\.content\.content(?=[.[]|$)/, '.response.content')
}
