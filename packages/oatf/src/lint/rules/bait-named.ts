import { BAIT, baitsIn } from '../../exposure/bait.ts'
import { plantedIn } from '../../exposure/planted.ts'
import type { LintRule } from '../rule.ts'

/** Where the bait is only guessed, a pass may be missed or mean little (L-020). */
export const baitNamed: LintRule = ({ walk }, report) => {
  if (walk.indicators.length === 0 || Object.hasOwn(walk.attack, BAIT)) return
  const { baits } = baitsIn(walk, plantedIn(walk))
  const [first] = baits
  if (first === undefined) return
  report(['attack'], `what the agent is to fall for is not named; the guess is ${first.path}. Name it by ${BAIT}`)
}
