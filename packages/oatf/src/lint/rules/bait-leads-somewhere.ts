import { baitFaults } from '../../exposure/bait.ts'
import { plantedIn } from '../../exposure/planted.ts'
import type { LintRule } from '../rule.ts'

/** What the agent is to fall for is something that it can be sent (L-019). */
export const baitLeadsSomewhere: LintRule = ({ walk }, report) => {
  for (const { path, message } of baitFaults(walk, plantedIn(walk))) report(path, message)
}
