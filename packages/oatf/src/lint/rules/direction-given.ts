import { own } from '@joust/source'
import type { LintRule } from '../rule.ts'
import { agentDirection, isIn, looksOf } from '../targets.ts'

/** An indicator that could match either side says whose messages it is about (L-008). */
export const directionGiven: LintRule = ({ subjects }, report) => {
  for (const subject of subjects) {
    const { value, kinds, path } = subject
    if (own(value, 'surface') !== undefined || own(value, 'direction') !== undefined) continue
    if (own(value, 'semantic') !== undefined) continue
    const look = looksOf(subject).find((one) =>
      isIn(
        one,
        kinds.filter(({ fromAttacker }) => fromAttacker),
      ),
    )
    if (look === undefined) continue
    const seen = look.shown === '' ? 'everything' : `"${look.shown}"`
    const direction = agentDirection(subject)
    const advice = direction === undefined ? 'name a surface' : `name a surface, or set direction: ${direction}`
    report(path, `it looks at ${seen} on all surfaces, also in what the attacker sends; ${advice}`)
  }
}
