import { describeValue, firstFew, own, suggestions } from '@joust/source'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** `indicator.actor` names an actor of the document (V-048); the forms without actors have one called `default`. */
export const indicatorActorExists: Rule = {
  summary: '`indicator.actor` names an actor of the document.',
  check(walk, report) {
    const names = new Set(walk.actors.flatMap((actor) => actor.name ?? []))
    const hint = suggestions()
    for (const { path, value } of walk.indicators) {
      const actor = own(value, 'actor')
      if (actor === undefined) continue
      if (typeof actor !== 'string')
        report([...path, 'actor'], `expected the name of an actor, got ${describeValue(actor)}`)
      // A document without any actor is at fault elsewhere.
      else if (names.size > 0 && !names.has(actor)) {
        const meant = hint(actor, names)
        const others = meant === undefined ? ` There is ${listed(names)}.` : ''
        report([...path, 'actor'], `${describeValue(actor)} is not an actor of the document.${others}`, { meant })
      }
    }
  },
  good: indicatorsDocument(`
    - actor: default
      target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- actor: default', '- actor: weather_server'],
  path: 'attack.indicators[0].actor',
}

function listed(names: ReadonlySet<string>): string {
  return firstFew([...names], 5, describeValue).join(', ')
}
