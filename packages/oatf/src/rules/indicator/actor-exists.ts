import { describeValue, firstFew, own, suggestions } from '@joust/source'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** Documents without `actors` have a single actor named `default`. */
export const indicatorActorExists: Rule = {
  summary: '`indicator.actor` is the name of an existing actor.',
  check(walk, report) {
    const names = new Set(walk.actors.flatMap((actor) => actor.name ?? []))
    const hint = suggestions()
    for (const { path, value } of walk.indicators) {
      const actor = own(value, 'actor')
      if (actor === undefined) continue
      if (typeof actor !== 'string') report([...path, 'actor'], `expected an actor name, got ${describeValue(actor)}`)
      // Another rule reports a document without actors.
      else if (names.size > 0 && !names.has(actor)) {
        const correction = hint(actor, names)
        const known = firstFew([...names], 5, describeValue).join(', ')
        const others = correction === undefined ? ` Expected one of: ${known}` : ''
        report([...path, 'actor'], `unknown actor ${describeValue(actor)}.${others}`, { correction })
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
