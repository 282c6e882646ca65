import { own } from '@joust/source'
import { durationFault } from '../duration-fault.ts'
import type { Rule } from '../rule.ts'

/** `trigger.after`, when present, is a duration (V-036). */
export const afterIsDuration: Rule = (walk, report) => {
  for (const trigger of walk.triggers) {
    const fault = durationFault(own(trigger.value, 'after'))
    if (fault !== undefined) report([...trigger.path, 'after'], fault)
  }
}
