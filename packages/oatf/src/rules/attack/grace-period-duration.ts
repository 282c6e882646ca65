import { own } from '@joust/source'
import { durationFault } from '../duration-fault.ts'
import type { Rule } from '../rule.ts'

/** `attack.grace_period`, when present, is a duration (V-046). */
export const gracePeriodDuration: Rule = (walk, report) => {
  const fault = durationFault(own(walk.attack, 'grace_period'))
  if (fault !== undefined) report(['attack', 'grace_period'], fault)
}
