import { describeValue } from '@joust/source'
import { twoPhaseDocument } from '../../rules/rule.ts'
import { deadTrigger } from '../../traffic/reachable.ts'
import { phaseName } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

export const phaseReachable: LintRule = {
  summary: 'Every phase is reachable.',
  check({ walk }, report) {
    for (const actor of walk.actors) {
      const dead = deadTrigger(actor)
      const [stuck, next] = dead === undefined ? [] : actor.phases.slice(dead.index, dead.index + 2)
      if (dead === undefined || stuck === undefined || next === undefined) continue
      const name = describeValue(phaseName(stuck))
      report(next.path, `unreachable phase: the trigger of ${name} cannot fire, because ${dead.reason}`)
    }
  },
  good: twoPhaseDocument(),
  mistake: ['- { method: tools/list }', '- { method: prompts/list }'],
  path: 'attack.execution.phases[1]',
}
