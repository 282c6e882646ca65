import { describeValue } from '@joust/source'
import { textOf } from '../../rules/walk.ts'
import { deadTrigger } from '../reachable.ts'
import type { LintRule } from '../rule.ts'

/** Every phase can be reached (L-003). */
export const phaseReachable: LintRule = ({ walk }, report) => {
  for (const actor of walk.actors) {
    const dead = deadTrigger(actor)
    const [stuck, next] = dead === undefined ? [] : actor.phases.slice(dead.index, dead.index + 2)
    if (dead === undefined || stuck === undefined || next === undefined) continue
    const name = describeValue(textOf(stuck.value, 'name') ?? `phase-${dead.index + 1}`)
    report(next.path, `this phase is never reached: the trigger of ${name} cannot fire, because ${dead.reason}`)
  }
}
