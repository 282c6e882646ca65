import { describeValue, ownText } from '@joust/source'
import { indicatorId } from '../../primitives/indicator-id.ts'
import { generatedToo } from '../repeated.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** Reports could not distinguish an explicit name from an identical generated name. */
export const generatedNamesFree: Rule = {
  summary: 'No explicit phase name or indicator id is identical to one that normalization generates.',
  check(walk, report) {
    for (const actor of walk.actors) {
      if (actor.form === 'state') continue
      for (const { path, text } of generatedToo(actor.phases, 'name', (index) => `phase-${index + 1}`))
        report(
          path,
          `phase name ${describeValue(text)} conflicts with the name generated for an unnamed phase; choose another name`,
        )
    }
    const attackId = ownText(walk.attack, 'id')
    const idAt = (index: number): string => indicatorId(attackId, { target: '' }, index)
    for (const { path, text } of generatedToo(walk.indicators, 'id', idAt))
      report(
        path,
        `indicator id ${describeValue(text)} conflicts with the id generated for an indicator without one; choose another id`,
      )
  },
  good: indicatorsDocument(`
    - { id: key-sent, target: arguments.note, pattern: { contains: PRIVATE KEY } }
    - { target: arguments.note, pattern: { contains: "root:" } }
`),
  mistake: ['id: key-sent', 'id: indicator-02'],
  path: 'attack.indicators[0].id',
}
