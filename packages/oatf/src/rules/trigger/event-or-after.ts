import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'
import { textOf } from '../walk.ts'

/** A trigger has `event`, `after` or both (V-040). */
export const eventOrAfter: Rule = (walk, report) => {
  for (const phase of walk.phases) {
    const trigger = own(phase.value, 'trigger')
    if (trigger === undefined) continue
    const path = [...phase.path, 'trigger']
    if (!isRecord(trigger)) report(path, `expected the trigger as a mapping, got ${describeValue(trigger)}`)
    else if (textOf(trigger, 'event') === undefined && own(trigger, 'after') === undefined) {
      report(path, 'a trigger needs an "event" or "after"; to make the phase the last one, leave the trigger out', {
        at: 'key',
      })
    }
  }
}
