import { describeValue, formatPath, type Path, suggestions } from '@joust/source'
import { crossActorReference, referencesOf } from '../../walk/templates.ts'
import { crossActorDocument, type Rule } from '../rule.ts'

export const actorReferences: Rule = {
  summary: 'The actor of a cross-actor reference exists.',
  check(walk, report) {
    const names = new Set(walk.actors.flatMap((actor) => actor.name ?? []))
    const hint = suggestions()
    for (const template of walk.templates) {
      for (const reference of referencesOf(template)) {
        const actor = crossActorReference(reference)?.actor
        if (actor === undefined || names.has(actor)) continue
        const message = `unknown actor ${describeValue(actor)} in the reference ${describeValue(reference)}.`
        const near = hint(actor, names)
        const correction = near && `{{${near}${reference.slice(actor.length)}}}`
        report(template.path, message, { spelled: spell(template.path), correction, part: `{{${reference}}}` })
      }
    }
  },
  good: crossActorDocument,
  mistake: ['{{mail_server.code}}', '{{mailserver.code}}'],
  path: 'attack.execution.actors[0].phases[0].state.tools[0].description',
}

/** Formats a path. The official fixture omits the entry and the envelope in paths to tool response content. */
function spell(path: Path): string {
  return formatPath(path).replace(/\.responses\[\d+\]\.content\.content(?=[.[]|$)/, '.response.content')
}
