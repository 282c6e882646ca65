import { own } from '@joust/source'
import type { Rule } from '../rule.ts'
import { textOf } from '../walk.ts'

/** `trigger.count` and `trigger.match` stand only beside `trigger.event` (V-019). */
export const countNeedsEvent: Rule = (walk, report) => {
  for (const trigger of walk.triggers) {
    if (textOf(trigger.value, 'event') !== undefined) continue
    const idle = ['count', 'match'].filter((key) => own(trigger.value, key) !== undefined)
    if (idle.length === 0) continue
    const seen = idle.map((key) => `"${key}"`).join(' and ')
    report(
      trigger.path,
      `${seen} ${idle.length > 1 ? 'mean' : 'means'} nothing without an "event" to count or match, such as event: tools/call`,
      { at: 'key' },
    )
  }
}
