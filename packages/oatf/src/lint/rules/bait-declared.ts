import { BAIT, baitsIn } from '../../exposure/bait.ts'
import { plantedIn } from '../../exposure/planted.ts'
import { baitedDocument } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

export const baitDeclared: LintRule = {
  summary: 'An attack declares its bait, the content that is meant to mislead the agent, in `x-joust-bait`.',
  check({ walk }, report) {
    if (walk.indicators.length === 0 || Object.hasOwn(walk.attack, BAIT)) return
    const { baits } = baitsIn(walk, plantedIn(walk))
    const [first] = baits
    if (first === undefined) return
    report(
      ['attack', BAIT],
      `the bait is not declared; the guess is the text at ${first.path}. Declare the bait with ${BAIT}`,
    )
  },
  good: baitedDocument(),
  mistake: ['  x-joust-bait: ["attack.execution.state.tools[0].description"]\n', ''],
  path: 'attack.x-joust-bait',
}
