import { describeValue } from '@joust/source'
import type { Rule } from '../rule.ts'
import { textOf } from '../walk.ts'

/** The selector of a `regex` extractor has a capture group (V-042). One that is not a regex at all is V-013's. */
export const regexHasCapture: Rule = (walk, report) => {
  for (const { path, value } of walk.extractors) {
    const selector = textOf(value, 'selector')
    if (textOf(value, 'type') !== 'regex' || selector === undefined) continue
    const regex = walk.syntax.regex(selector)
    if (!regex.ok || regex.value.groupCount > 0) continue
    report(
      [...path, 'selector'],
      `${describeValue(selector)} has no capture group, so it extracts nothing; put ( ) around the part to keep`,
    )
  }
}
